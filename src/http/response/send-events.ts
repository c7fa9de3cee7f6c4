import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Events } from '../../ports/event-receiver.ts'
import { waitSignal } from './send-stream.ts'

/** An event as `EventSource` reads it. */
interface ServerSentEvent {
  readonly type: string
  readonly version: string
  /** JSON; the version where there is none. */
  readonly data?: string
}

/** Interval of the comments that show proxies and the client that the stream is alive, in milliseconds. */
const keepAliveMs = 15_000

/** Duration of a stream of events, in milliseconds: a client that follows opens the next one by itself. */
const streamMs = 30 * 60_000

/** Aborted when a stream of events has to end: after its time, with its connection, or when `closing` is. */
export function eventsSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  return waitSignal(reply, closing, streamMs)
}

/** Answers with events as they happen (`text/event-stream`). The stream ends with them. */
export function sendEvents(events: Events<ServerSentEvent>, reply: FastifyReply) {
  const stream = new PassThrough()
  stream.write(': open\n\n')
  const timer = setInterval(() => {
    // A client that does not read gets no more: its connection is ended (src/http/protection/slow-clients.ts).
    if (!stream.writableNeedDrain) stream.write(': alive\n\n')
  }, keepAliveMs)
  events({
    receive: (event) => void stream.write(textOf(event)),
    end() {
      clearInterval(timer)
      stream.end()
    },
    fail(error) {
      clearInterval(timer)
      stream.destroy(error as Error)
    },
  })
  // Some proxies buffer text unless this header is set.
  reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  return reply.send(stream)
}

function textOf({ type, version, data = JSON.stringify({ version }) }: ServerSentEvent): string {
  return `id: ${version}\nevent: ${type}\ndata: ${data}\n\n`
}
