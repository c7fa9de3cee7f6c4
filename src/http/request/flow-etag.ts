import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../schemas/type.ts'
import { actorOf } from '../protection/auth.ts'
import { readIfMatch, versioned, writeEtag } from './request-conditions.ts'

const flowVersion = Type.String({
  description: 'The version of the flow that is served, for `If-Match` of a change',
  examples: ['"3"'],
})

/** Documents that the answer of a route names the version of its flow. */
export function flowVersioned<Response extends { readonly 200: object }>(responses: Response): Response {
  return versioned(responses, flowVersion)
}

/** A number that no version has. */
const noVersion = -1

/**
 * Terms of every change of a flow: its public id, the actor, and the versions that it may be made from, where 0 stands for
 * no flow and undefined for any. Throws BAD_REQUEST for an `If-Match` that is no list of entity tags.
 */
export function flowChangeOf(
  request: FastifyRequest<{ Params: { readonly publicId: string } }>,
  reply: FastifyReply,
) {
  return {
    publicId: request.params.publicId,
    actor: actorOf(request),
    expected: readExpectedVersions(request),
    onVersion: writeEtag(reply),
  }
}

function readExpectedVersions(request: Pick<FastifyRequest, 'headers'>): readonly number[] | undefined {
  if (request.headers['if-none-match'] === '*') return [0]
  return readIfMatch(request)?.map((tag) => (/^[1-9]\d{0,8}$/.test(tag) ? Number(tag) : noVersion))
}
