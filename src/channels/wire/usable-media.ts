import { LRUCache } from 'lru-cache'
import type { CallDependencies } from '../messenger.ts'
import type { ApiRequest } from '../outgoing.ts'

/** A file in a message, which the messenger fetches from its address. */
export interface SentMedia {
  readonly url: string
  readonly types: readonly string[]
  readonly bytes: number
  /** The message with the address in place of the file. */
  asLink(): ApiRequest
}

/** Makes a message of which the messenger takes each file: with a link where it would not. Never rejects. */
export type MakeUsable = (
  request: ApiRequest,
  media: SentMedia | undefined,
  deps: CallDependencies,
) => Promise<ApiRequest>

const timeoutMs = 10_000

/** A flow sends the same files to everybody. */
const remembered = { max: 1_000, ttl: 10 * 60 * 1000 }

/**
 * Looks at type and size before a file is sent: a messenger refuses a file that it doesn't take long after the message, or
 * leaves it out. A file that can't be had is sent as a link too, since the messenger could not fetch it either.
 */
export function createMakeUsable(): MakeUsable {
  const known = new LRUCache<string, boolean>(remembered)
  return async (request, media, deps) => {
    if (!media) return request
    const key = `${media.types[0]} ${media.url}`
    const isTaken = known.get(key) ?? (await isTakenBy(media, deps).catch(() => undefined))
    if (isTaken !== undefined) known.set(key, isTaken)
    return isTaken ? request : media.asLink()
  }
}

/** Undefined where nothing is known of the file for good. Not by `HEAD`: a signed address is good for `GET` alone. */
async function isTakenBy(
  { url, types, bytes }: SentMedia,
  { http, closing }: CallDependencies,
): Promise<boolean | undefined> {
  const request = { method: 'GET', url, headers: [], timeoutMs }
  const response = await http.stream(request, { signal: closing, maxBytes: bytes })
  const { status, contentType = '', contentLength } = response
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isFile = status === 200 && types.includes(type) && (contentLength ?? 0) <= bytes
  let size = 0
  // Its end says the size where the headers don't; leaving it early closes the connection.
  for await (const piece of response.body) {
    size += piece.length
    if (!isFile || contentLength !== undefined) break
  }
  return status === 200 ? isFile && (contentLength !== undefined || size > 0) : undefined
}
