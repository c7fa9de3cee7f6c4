import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../schemas/type.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { success } from '../openapi/response-schemas.ts'

/** The `Idempotency-Key` of a request, as a use case takes it. */
interface SentKey {
  readonly key: string
  readonly fingerprint: string
  replayed(): void
}

/**
 * Reads the key of a request, hashed, so that a store holds nothing that a caller could be followed or impersonated
 * by. Undefined where there is none.
 */
export function readIdempotencyKey(request: FastifyRequest, reply: FastifyReply): SentKey | undefined {
  const given = request.headers['idempotency-key']
  if (typeof given !== 'string') return undefined
  const replayed = () => void reply.header('idempotent-replayed', 'true')
  return { key: keyOf(request, given), fingerprint: fingerprintOf(request), replayed }
}

const replayed = Type.Literal('true', {
  description: 'Present when this is what an earlier request with the same Idempotency-Key was answered',
})

/** Documents the 200 of a route whose requests may be repeated. */
export function repeatableSuccess(description: string, schema: TSchema) {
  return { 200: { ...success(description, schema)[200], headers: { 'idempotent-replayed': replayed } } }
}

/**
 * A key belongs to one operation, on one flow or session, of one caller: a caller whom the checks of the operation
 * would refuse never gets a kept answer.
 */
function keyOf({ routeOptions, params, headers }: FastifyRequest, given: string): string {
  const { authorization = null, origin = null } = headers
  return contentHash(JSON.stringify([routeOptions.url, params, authorization, origin, given]))
}

/** Two bodies that say the same in the same order are the same, whatever their spacing; drafts go by their bytes. */
function fingerprintOf({ sentBody, body }: FastifyRequest): string {
  return sentBody ? sentBody.name : contentHash(JSON.stringify(body))
}
