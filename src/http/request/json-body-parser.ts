import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contentHash } from '../../definition/content-hash.ts'
import { ServiceError } from '../../errors.ts'
import type { KnownDraft, SentBody } from '../../ports.ts'
import { together } from '../response/micro-batch.ts'
import { type LongBodies, longBody } from './large-body-budget.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body was read from, where drafts are recalled; undefined when there was none. */
    sentBody: SentBody | undefined
  }
}

type Done = (error: Error | null, body?: unknown) => void

/** Makes something of the bytes of a body that has some. */
type Read = (request: FastifyRequest, bytes: Buffer, done: Done) => void

/** Bytes of a body up to which it waits for others: what is made of a longer one would fill the memory meanwhile. */
const shortBody = 16 * 1024

/** Characters of a body that takes so long to read that others are served before anything is made of it. */
const slowBody = 1536 * 1024

interface ReadBody {
  readonly error: Error | null
  readonly body?: unknown
  readonly done: Done
}

const handOn = together<ReadBody>(setImmediate, ({ error, body, done }) => done(error, body))

/** Reads JSON bodies, and nothing else. No body, of whatever content type, is an empty object. */
export function readJsonBodies(app: FastifyInstance, longBodies: LongBodies): void {
  app.decorateRequest('sentBody', undefined)
  app.removeAllContentTypeParsers()
  const parse = createParse(app, longBodies)
  readWith(app, (request, bytes, done) => parse(request, bytes.toString(), done))
  app.addContentTypeParser('*', refuseContent)
  app.addHook('preValidation', (request, reply, done) => {
    longBodies.giveBackAfter(request, reply)
    if (request.body === undefined) request.body = {}
    done()
  })
}

/** As the others, for the routes of `scope`; a body whose draft is known by its bytes is not read again. */
export function recallDrafts(
  scope: FastifyInstance,
  longBodies: LongBodies,
  recall: (name: string) => KnownDraft | undefined,
): void {
  const parse = createParse(scope, longBodies)
  scope.removeContentTypeParser([...jsonTypes])
  readWith(scope, (request, bytes, done) => {
    const sent = new Sent(bytes, recall)
    request.sentBody = sent
    if (sent.draft) done(null, sent.draft.body)
    else parse(request, sent.text, done)
  })
}

const jsonTypes = ['application/json', /^application\/[^;,\s]+\+json\b/] as const

function readWith(scope: FastifyInstance, read: Read): void {
  for (const contentType of jsonTypes) {
    scope.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      (request: FastifyRequest, bytes: Buffer, done: Done) => {
        const encoding = request.headers['content-encoding']
        if (bytes.length === 0) done(null, {})
        else if (encoding !== undefined && encoding !== 'identity') done(encoded())
        else if (bytes.length > shortBody) read(request, bytes, done)
        else read(request, bytes, (error, body) => handOn({ error, body, done }))
      },
    )
  }
}

class Sent implements SentBody {
  readonly name: string
  readonly draft: KnownDraft | undefined
  readonly #bytes: Buffer
  #text: string | undefined

  constructor(bytes: Buffer, recall: (name: string) => KnownDraft | undefined) {
    this.#bytes = bytes
    this.name = contentHash(bytes)
    this.draft = recall(this.name)
  }

  get text(): string {
    this.#text ??= this.#bytes.toString()
    return this.#text
  }
}

type Parse = (request: FastifyRequest, text: string, done: Done) => void

function createParse(app: FastifyInstance, longBodies: LongBodies): Parse {
  // Keys that would reach for a prototype are left out, as unknown keys are.
  const parseJson = app.getDefaultJsonParser('remove', 'remove') as Parse

  return (request, text, done) => {
    if (text.length <= longBody) return parseJson(request, text, done)
    if (!longBodies.takeRoom(request, text.length)) {
      return done(new ServiceError('SERVICE_UNAVAILABLE', 'Too many large requests are being answered'))
    }
    parseJson(request, text, (error, body) => {
      if (error) longBodies.giveBack(request)
      if (text.length > slowBody) setImmediate(done, error, body)
      else done(error, body)
    })
  }
}

function encoded(): ServiceError {
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The request body must come without Content-Encoding')
}

/** Accepts a body of another type when it turns out to be empty. */
function refuseContent(_request: FastifyRequest, payload: IncomingMessage, done: Done): void {
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
