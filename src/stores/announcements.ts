import { randomUUID } from 'node:crypto'

/** Says something to every process that shares a back end, this one included. Nothing of it is kept. */
export interface Announcements {
  /**
   * A text of 7,900 bytes at most: PostgreSQL takes less than 8,000, of which some name the process. One that is cut off just
   * then misses it for good.
   */
  publish(text: string): void
  /** Calls with what any process publishes. Returns what ends it. */
  subscribe(listener: (text: string) => void): () => void
}

/** Reaches the other processes. */
export interface Relay {
  publish(text: string): Promise<unknown>
  /** Calls with what any process publishes, this one included. Returns what ends it. */
  subscribe(listener: (text: string) => void): () => void
}

/** Without a relay, this process is the only one. */
export function createAnnouncements(relay?: Relay): Announcements {
  const speaker = randomUUID()
  const listeners = new Set<(text: string) => void>()
  return {
    publish(text) {
      // Who listens here hears it whatever becomes of the connection.
      for (const listener of [...listeners]) listener(text)
      relay?.publish(`${speaker} ${text}`).catch(() => undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      const end = relay?.subscribe((line) => {
        if (!line.startsWith(speaker)) listener(line.slice(speaker.length + 1))
      })
      return () => {
        listeners.delete(listener)
        end?.()
      }
    },
  }
}
