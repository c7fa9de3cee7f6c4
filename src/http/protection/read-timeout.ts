import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Connections } from '../request/connection-tracker.ts'

/** Number of checks within the time that a client has. */
const looks = 10

interface Progress {
  readonly read: number
  readonly looks: number
}

/**
 * Ends connections whose clients read nothing of what they are sent for so many milliseconds. What counts as read is
 * each piece that is written (src/http/response/send-json.ts), so that a byte now and then does not keep a long answer.
 */
export function limitReading(app: FastifyInstance, connections: Connections, maxMs: number): void {
  const before = new WeakMap<Socket, Progress>()
  const timer = setInterval(() => {
    for (const socket of connections.open) {
      if (socket.writableLength === 0) continue
      const progress = progressOf(socket, before.get(socket))
      before.set(socket, progress)
      if (progress.looks > looks) socket.destroy()
    }
  }, maxMs / looks)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

function progressOf({ bytesWritten, writableLength }: Socket, before: Progress | undefined): Progress {
  const read = bytesWritten - writableLength
  return { read, looks: before?.read === read ? before.looks + 1 : 0 }
}
