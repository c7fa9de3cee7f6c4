import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../schemas/type.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { ServiceError } from '../../lib/errors.ts'
import { success } from '../openapi/response-schemas.ts'

const sessionVersion = Type.String({
  description: 'The version of the session that this answer leads to, for `If-Match` of a continue',
  examples: ['"3-mib2qk1c"'],
})

/** Documents that the answer of a route names the version of what it shows, of a session unless `etag` says otherwise. */
export function versioned<Response extends { readonly 200: object }>(
  responses: Response,
  etag: TSchema = sessionVersion,
): Response {
  const described = responses[200] as { readonly headers?: Record<string, TSchema> }
  return { ...responses, 200: { ...described, headers: { ...described.headers, etag } } }
}

/** Puts a version into the answer. */
export function writeEtag(reply: FastifyReply): (version: string | number) => void {
  return (version) => void reply.header('etag', `"${version}"`)
}

/** The version of a file that is sent as it is. */
export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

const entityTags = /^(?:W\/)?"[!#-~]*"(?:\s*,\s*(?:W\/)?"[!#-~]*")*$/

/**
 * Reads the versions that an `If-Match` names; undefined without one, and for `*`, which any version matches. A tag that
 * a gateway marked as weak when it compressed the answer counts as the one that was sent. Throws BAD_REQUEST for what
 * is no list of entity tags.
 */
export function readIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): readonly string[] | undefined {
  const given = headers['if-match']?.trim()
  if (given === undefined || given === '*') return undefined
  if (!entityTags.test(given)) {
    throw new ServiceError('BAD_REQUEST', 'If-Match must be * or a list of entity tags, such as "3-mib2qk1c"')
  }
  return [...given.matchAll(/"([^"]*)"/g)].map(([, version = '']) => version)
}

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
