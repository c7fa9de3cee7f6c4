import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { SentBody } from '../ports.ts'
import { createLongBodies, longBody } from './long-bodies.ts'
import { together } from './together.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a JSON body was read from. */
    sentBody: SentBody
  }
}

type Done = (error: Error | null, body?: unknown) => void

/** A body that has been read, or why not. */
interface ReadBody {
  readonly error: Error | null
  readonly body?: unknown
  readonly done: Done
}

const handOn = together<ReadBody>(setImmediate, ({ error, body, done }) => done(error, body))

/** Reads JSON bodies, and nothing else. No body, of whatever content type, is an empty object. */
export function readJsonBodies(app: FastifyInstance, longBodies = createLongBodies()): void {
  // Keys that would reach for a prototype are left out, as unknown keys are.
  const parseJson = app.getDefaultJsonParser('remove', 'remove') as (
    request: FastifyRequest,
    text: string,
    done: Done,
  ) => void
  app.decorateRequest('sentBody')

  function parseLong(request: FastifyRequest, text: string, done: Done): void {
    if (!longBodies.takeRoom(request, text.length)) {
      done(new ServiceError('SERVICE_UNAVAILABLE', 'Too many large requests are being answered'))
      return
    }
    parseJson(request, text, (error, body) => {
      if (error) longBodies.giveBack(request)
      setImmediate(done, error, body)
    })
  }

  app.removeAllContentTypeParsers()
  for (const contentType of ['application/json', /^application\/[^;,\s]+\+json\b/]) {
    app.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      (request: FastifyRequest, bytes: Buffer, done: Done) => {
        const encoding = request.headers['content-encoding']
        if (bytes.length === 0) return done(null, {})
        if (encoding !== undefined && encoding !== 'identity') return done(encoded())
        const text = bytes.toString()
        request.sentBody = { text, bytes }
        if (text.length > longBody) parseLong(request, text, done)
        else parseJson(request, text, (error, body) => handOn({ error, body, done }))
      },
    )
  }
  app.addContentTypeParser('*', refuseContent)
  app.addHook('preValidation', (request, reply, done) => {
    longBodies.giveBackAfter(request, reply)
    if (request.body === undefined) request.body = {}
    request.sentBody ??= noBody
    done()
  })
}

const noBody: SentBody = { text: '{}', bytes: Buffer.from('{}') }

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
