import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers with what is still coming in, each piece as soon as it is there. */
export function sendStream(
  records: AsyncIterable<string | Uint8Array>,
  reply: FastifyReply,
  type = 'text/plain; charset=utf-8',
) {
  // Some proxies buffer text unless this header is set.
  reply.headers({ 'content-type': type, 'x-accel-buffering': 'no' })
  return reply.send(Readable.from(records))
}

/** Aborted when the connection ends, the server closes or the time is over. Nothing is left behind on `closing`. */
export function waitSignal({ raw }: FastifyReply, closing: AbortSignal, maxMs: number): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort()
  const timer = setTimeout(end, maxMs)
  closing.addEventListener('abort', end)
  raw.once('close', () => {
    clearTimeout(timer)
    closing.removeEventListener('abort', end)
    end()
  })
  if (closing.aborted || raw.destroyed) end()
  return controller.signal
}

/** Aborted when the connection ends: the caller hung up, or the answer is complete. */
export function clientAbortSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
