import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteString } from '../../byte-string.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { ServiceError } from '../../errors.ts'
import type { IdempotencyStore } from '../../stores/idempotency-store.ts'
import { success } from '../openapi/response-schemas.ts'

/** Lets requests be repeated without being done again (docs/api.md, "Repeating a request"). */
export interface Idempotency {
  /**
   * Answers a request by `work`, or, when it repeats one by its `Idempotency-Key`, with what that one was answered.
   * What `work` throws is thrown, and is not remembered: a refusal had no effect.
   *
   * Throws CONFLICT while the first request is being answered, UNPROCESSABLE_CONTENT for another body.
   */
  once(request: FastifyRequest, reply: FastifyReply, work: () => Promise<ByteString>): Promise<ByteString>
}

/** Remembers by hashes, so that a store holds nothing that a caller could be followed or impersonated by. */
export function createIdempotency(store: IdempotencyStore): Idempotency {
  async function answerFirst(key: string, work: () => Promise<ByteString>): Promise<ByteString> {
    let answer: ByteString
    try {
      answer = await work()
    } catch (error) {
      await store.release(key)
      throw error
    }
    await store.settle(key, answer)
    return answer
  }

  async function answer(
    { key, fingerprint }: { readonly key: string; readonly fingerprint: string },
    reply: FastifyReply,
    work: () => Promise<ByteString>,
  ): Promise<ByteString> {
    const claim = await store.claim(key, fingerprint)
    switch (claim.state) {
      case 'claimed':
        return answerFirst(key, work)
      case 'answered':
        reply.header('idempotent-replayed', 'true')
        // Whatever was settled was ready to be sent.
        return claim.answer as ByteString
      case 'running':
        reply.header('retry-after', '1')
        throw new ServiceError('CONFLICT', 'A request with this Idempotency-Key is still being answered')
      case 'other request':
        throw new ServiceError(
          'UNPROCESSABLE_CONTENT',
          'This Idempotency-Key was used for a request with another body',
        )
    }
  }

  return {
    once(request, reply, work) {
      const given = request.headers['idempotency-key']
      if (typeof given !== 'string') return work()
      return answer({ key: keyOf(request, given), fingerprint: fingerprintOf(request) }, reply, work)
    },
  }
}

const replayed = Type.Literal('true', {
  description: 'Present when this is what an earlier request with the same Idempotency-Key was answered',
})

/** Documents the 200 of a route whose requests may be repeated. */
export function repeatableSuccess(description: string, schema: TSchema) {
  return { 200: { ...success(description, schema)[200], headers: { 'idempotent-replayed': replayed } } }
}

/**
 * A key means something to one operation, on one flow or session, for one caller: an answer is never given to
 * somebody whom the checks of the operation would refuse.
 */
function keyOf({ routeOptions, params, headers }: FastifyRequest, given: string): string {
  const { authorization = null, origin = null } = headers
  return contentHash(JSON.stringify([routeOptions.url, params, authorization, origin, given]))
}

/** Two bodies that say the same in the same order are the same, whatever their spacing; drafts go by their bytes. */
function fingerprintOf({ sentBody, body }: FastifyRequest): string {
  if (sentBody) return sentBody.name
  try {
    return contentHash(JSON.stringify(body))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ServiceError('BAD_REQUEST', 'The body nests too deep for a request with an Idempotency-Key', {
      cause: error,
    })
  }
}
