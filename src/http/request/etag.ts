import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../schemas/type.ts'
import { ServiceError } from '../../lib/errors.ts'

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
