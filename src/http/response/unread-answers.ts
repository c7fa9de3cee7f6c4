import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { StoreUsage } from '../../ports/known-types.ts'

interface UnreadOptions {
  /** Bytes of all of them together. */
  readonly maxBytes: number
}

export type UnreadAnswers = ReturnType<typeof createUnreadAnswers>

/**
 * Counts the answers that were written and that their clients have not read, and keeps them within a bound: where a new
 * one goes beyond it, the oldest is cut off.
 */
export function createUnreadAnswers({ maxBytes }: UnreadOptions) {
  /** Oldest first. */
  const held = new Map<ServerResponse, { readonly bytes: number; readonly socket: Socket }>()
  /** The answers of a connection share a listener: requests may be sent ahead without end. */
  const pending = new WeakMap<Socket, Set<ServerResponse>>()
  let total = 0
  let evicted = 0

  function release(response: ServerResponse): void {
    total -= held.get(response)?.bytes ?? 0
    held.delete(response)
  }

  function makeRoom(): void {
    for (const [response, { socket }] of held) {
      if (total <= maxBytes || held.size === 1) return
      evicted += 1
      release(response)
      socket.destroy()
    }
  }

  return {
    /** To be called for an answer of so many bytes that the system did not take at once. */
    hold(response: ServerResponse, bytes: number): void {
      const { socket } = response.req
      if (socket.destroyed) return
      held.set(response, { bytes, socket })
      total += bytes
      if (!pending.has(socket)) {
        pending.set(socket, new Set())
        // An answer that waits behind another on its connection does not hear of its end.
        socket.once('close', () => pending.get(socket)?.forEach(release))
      }
      pending.get(socket)?.add(response)
      response.once('finish', () => {
        release(response)
        pending.get(socket)?.delete(response)
      })
      if (total > maxBytes) makeRoom()
    },
    usage: (): StoreUsage => ({ entries: held.size, bytes: total, evicted }),
  }
}
