import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageFile } from './page-files.ts'
import { policyOf } from './page-policies.ts'

/** Sets what every page carries. */
export function setPageHeaders(reply: FastifyReply, policy: string): void {
  reply.header('content-security-policy', policy)
  // Ids of conversations are in no address, but those of flows may be secrets too.
  reply.header('referrer-policy', 'no-referrer')
  reply.header('cache-control', 'no-cache')
}

/** The editor of this page makes its style sheet itself, which its policy allows to who knows the nonce of the answer. */
export function sendWithNonce(
  { type, plain }: PageFile,
  connects: string,
  reply: FastifyReply,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  const sources = { styles: ` 'nonce-${nonce}'`, fonts: ' https: data:', connects }
  setPageHeaders(reply, policyOf('try', sources))
  reply.header('cache-control', 'no-store')
  return reply.type(type).send(plain.toString().replaceAll('{nonce}', nonce))
}

/** Answers with a file, compressed as the client takes it. */
export function sendPageFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('etag', file.etag)
  reply.header('vary', 'Accept-Encoding, Origin')
  if (headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.type(file.type)
  const accepted = String(headers['accept-encoding'] ?? '')
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}
