import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../lib/errors.ts'

/** Leaves the bodies of the routes that are registered on `scope` alone, whatever content type they name, or try to. */
export function disableBodyParsing(scope: FastifyInstance): void {
  scope.addHook('onRequest', ({ raw }, _reply, done) => {
    delete raw.headers['content-type']
    done()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
}

/**
 * The bytes of a body as they come in. A handler that stops half-way can still answer: the rest is read and dropped, as a
 * connection that is cut would take the answer with it. Throws BAD_REQUEST when the caller hangs up.
 */
export async function* rawBody({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw new ServiceError('BAD_REQUEST', 'The request could not be read', { cause })
  } finally {
    raw.resume()
  }
}
