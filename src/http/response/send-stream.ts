import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers with text that is still coming in, each piece as soon as it is there. */
export function sendStream(records: AsyncIterable<string>, reply: FastifyReply) {
  // Some proxies buffer text unless this header is set.
  reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'x-accel-buffering': 'no' })
  return reply.send(Readable.from(records))
}

/** Aborted when the connection ends, be it that the caller hangs up or that the answer is complete. */
export function clientAbortSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
