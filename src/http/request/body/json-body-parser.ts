import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contentHash } from '../../../definition/content-hash.ts'
import { noJsonProblem } from '../../../definition/json-mistake.ts'
import { ServiceError } from '../../../lib/errors.ts'
import { excessOfJson, type JsonBounds } from '../../../lib/json-bounds.ts'
import type { CachedDraft, RawJsonBody } from '../../../ports/raw-json-body.ts'
import { createMicroBatch } from '../../response/micro-batch.ts'
import type { HeldBody } from './body-budget.ts'
import { type BodyLimits, readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body, where drafts are recalled or bodies are signed; undefined when there was none. */
    sentBody: RawJsonBody | undefined
    /** The reason why a body that has arrived whole can't be used; its connection stays usable. */
    bodyProblem: ServiceError | undefined
  }
}

type ParserCallback = (error: Error | null, body?: unknown) => void

/** A body that has arrived. */
interface ArrivedBody {
  readonly request: FastifyRequest
  readonly bytes: Buffer
  /** Memory that it holds meanwhile. */
  readonly held: HeldBody | undefined
}

/** Makes something of a body that has any bytes. */
type BodyReader = (arrived: ArrivedBody, done: ParserCallback) => void

/** Bounds and options of JSON bodies. */
export interface JsonBodies extends BodyLimits {
  readonly bounds: JsonBounds
}

/** Bytes of a body up to which it waits for others: what is made of a longer one would fill the memory meanwhile. */
const shortBody = 16 * 1024

/** Characters of a body that takes so long to read that others are served before anything is made of it. */
const slowBody = 1536 * 1024

/** Characters of a body that is no JSON up to which it is read once more for the place: others would wait for that of a longer one. */
const readTwice = 256 * 1024

interface ReadBody {
  readonly error: Error | null
  readonly body?: unknown
  readonly done: ParserCallback
}

const handOn = createMicroBatch<ReadBody>(setImmediate, ({ error, body, done }) => done(error, body))

/** Reads JSON bodies, and nothing else. No body, of whatever content type, is an empty object. */
export function registerJsonParser(app: FastifyInstance, bodies: JsonBodies): void {
  app.decorateRequest('sentBody', undefined)
  app.decorateRequest('bodyProblem', undefined)
  app.removeAllContentTypeParsers()
  const parse = createParse(app, bodies)
  readWith(app, bodies, (arrived, done) => parse(arrived, arrived.bytes.toString(), done))
  app.addContentTypeParser('*', refuseContent)
  app.addHook('preValidation', (request, reply, done) => {
    if (bodies.room.counted.size > 0) bodies.room.giveBackAfter(request, reply)
    if (request.body === undefined) request.body = {}
    done(request.bodyProblem)
  })
}

/** As the others, for the routes of `scope`, which may have a limit of their own. */
export function readLargerBodies(scope: FastifyInstance, bodies: JsonBodies): void {
  const parse = createParse(scope, bodies)
  scope.removeContentTypeParser([...jsonTypes])
  readWith(scope, bodies, (arrived, done) => parse(arrived, arrived.bytes.toString(), done))
}

/** As the others, for the routes of `scope`; a body whose draft is known by its bytes is not read again. */
export function reuseCompiledDrafts(
  scope: FastifyInstance,
  bodies: JsonBodies,
  recall: (name: string) => CachedDraft | undefined,
): void {
  const parse = createParse(scope, bodies)
  scope.removeContentTypeParser([...jsonTypes])
  readWith(scope, bodies, (arrived, done) => {
    const sent = new SentJsonBody(arrived.bytes, recall)
    arrived.request.sentBody = sent
    if (sent.draft) done(null, sent.draft.body)
    else parse(arrived, sent.text, done)
  })
}

/** As the others, for the routes of `scope`, to which bodies come signed: their text stays at hand. */
export function readSignedBodies(scope: FastifyInstance, bodies: JsonBodies): void {
  reuseCompiledDrafts(scope, bodies, () => undefined)
}

/** Leaves the bodies of the routes of `scope` as they came, whatever they are: who reads them checks first who has sent them. */
export function readAnyBodies(scope: FastifyInstance, bodies: BodyLimits): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: ParserCallback) =>
    readBody({ request, payload }, bodies, { fail: done, complete: (bytes) => done(null, bytes) }),
  )
}

const jsonTypes = ['application/json', /^application\/[^;,\s]+\+json\b/] as const

function readWith(scope: FastifyInstance, bodies: JsonBodies, read: BodyReader): void {
  const parser = (request: FastifyRequest, payload: IncomingMessage, done: ParserCallback) => {
    readBody({ request, payload }, bodies, {
      fail: done,
      complete(bytes, held) {
        const encoding = request.headers['content-encoding']
        if (bytes.length === 0) done(null, {})
        else if (encoding !== undefined && encoding !== 'identity') done(encoded())
        else if (bytes.length > shortBody) read({ request, bytes, held }, done)
        else read({ request, bytes, held }, (error, body) => handOn({ error, body, done }))
      },
    })
  }
  for (const contentType of jsonTypes) scope.addContentTypeParser(contentType, parser)
}

class SentJsonBody implements RawJsonBody {
  readonly name: string
  readonly draft: CachedDraft | undefined
  readonly #bytes: Buffer
  #text: string | undefined

  constructor(bytes: Buffer, recall: (name: string) => CachedDraft | undefined) {
    this.#bytes = bytes
    this.name = contentHash(bytes)
    this.draft = recall(this.name)
  }

  get text(): string {
    this.#text ??= this.#bytes.toString()
    return this.#text
  }
}

type Parse = (arrived: ArrivedBody, text: string, done: ParserCallback) => void

function createParse(app: FastifyInstance, { bounds, room }: JsonBodies): Parse {
  // Keys that would reach for a prototype are left out, as unknown keys are.
  const parseJson = app.getDefaultJsonParser('remove', 'remove') as (
    request: FastifyRequest,
    text: string,
    done: ParserCallback,
  ) => void

  return ({ request, bytes, held }, text, done) => {
    const excess = excessOfJson(bytes, bounds)
    const refuse = (problem: ServiceError) => {
      if (held) room.giveBack(held)
      request.bodyProblem = problem
      done(null)
    }
    if (excess) return refuse(tooMuch(excess, bounds))
    parseJson(request, text, (error, body) => {
      if (error) refuse(noJson(text))
      else if (text.length > slowBody) setImmediate(done, null, body)
      else done(null, body)
    })
  }
}

const excesses: Record<keyof JsonBounds, string> = {
  values: 'values',
  keys: 'different keys',
  shapes: 'different orders of keys',
  containers: 'lists and objects',
  levels: 'lists and objects inside each other',
}

function tooMuch(excess: keyof JsonBounds, bounds: JsonBounds): ServiceError {
  return new ServiceError(
    'BAD_REQUEST',
    `The request body holds more than ${bounds[excess]} ${excesses[excess]}`,
  )
}

function noJson(text: string): ServiceError {
  const message = 'The request body is not valid JSON'
  if (text.length > readTwice) return new ServiceError('BAD_REQUEST', message)
  // The parser passes over a mark of the order of bytes.
  const problems = [noJsonProblem(text.replace(/^\uFEFF/, ''))]
  return new ServiceError('BAD_REQUEST', message, { problems })
}

function encoded(): ServiceError {
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The request body must come without Content-Encoding')
}

/** Accepts a body of another type when it turns out to be empty. */
function refuseContent(_request: FastifyRequest, payload: IncomingMessage, done: ParserCallback): void {
  payload.once('data', () =>
    settle(new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The request body must be application/json')),
  )
  payload.once('end', () => settle(null))
  payload.once('error', (cause) =>
    settle(new ServiceError('BAD_REQUEST', 'The request could not be read', { cause })),
  )

  let isSettled = false
  function settle(error: Error | null): void {
    if (isSettled) return
    isSettled = true
    done(error, {})
  }
}
