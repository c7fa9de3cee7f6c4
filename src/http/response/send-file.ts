import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file of a visitor: its content is not trusted. */
export interface SentFile {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly isInline: boolean
  readonly isPrivate: boolean
  read(part?: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** Files can be erased, so neither clients nor caches between may keep them for long. */
const seconds = 3600

/** Answers with a file, or the part of it that was asked for, so that it can do nothing in the name of this service. */
export async function sendFile(file: SentFile, request: FastifyRequest, reply: FastifyReply) {
  const isRead = request.method === 'GET'
  const part = isRead ? parseByteRange(request.headers.range, file.size) : undefined
  reply.code(part ? 206 : 200).headers({
    'content-type': file.type,
    'content-length': part ? part.end - part.start + 1 : file.size,
    'content-disposition': file.isInline ? 'inline' : `attachment; filename="${file.name}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    'cache-control': file.isPrivate ? 'no-store' : `private, max-age=${seconds}`,
  })
  if (part) reply.header('content-range', `bytes ${part.start}-${part.end}/${file.size}`)
  if (isRead) return reply.send(file.read(part))
  await file.close()
  return reply.send()
}

/** Both ends are included. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of a file that a `Range` header asks for, one part and no more. Undefined for the whole, which is also
 * the answer to a header that asks for something else: players only ever ask for one part that is there.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : undefined
}
