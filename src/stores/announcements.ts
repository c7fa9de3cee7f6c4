import { randomUUID } from 'node:crypto'

/** Says something to every process that shares a back end, this one included. Nothing of it is kept. */
export interface Announcements {
  /**
   * A text of 7,900 bytes at most: PostgreSQL takes less than 8,000, of which some name the process. One that is cut off just
   * then misses it for good.
   */
  announce(text: string): void
  /** Calls with what any process announces. Returns what ends it. */
  hear(heard: (text: string) => void): () => void
}

/** Reaches the other processes. */
export interface Relay {
  tell(text: string): Promise<unknown>
  /** Calls with what any process tells, this one included. Returns what ends it. */
  listen(heard: (text: string) => void): () => void
}

/** Without a relay, this process is the only one. */
export function createAnnouncements(relay?: Relay): Announcements {
  const speaker = randomUUID()
  const listeners = new Set<(text: string) => void>()
  return {
    announce(text) {
      // Who listens here hears it whatever becomes of the connection.
      for (const heard of [...listeners]) heard(text)
      relay?.tell(`${speaker} ${text}`).catch(() => undefined)
    },
    hear(heard) {
      listeners.add(heard)
      const end = relay?.listen((line) => {
        if (!line.startsWith(speaker)) heard(line.slice(speaker.length + 1))
      })
      return () => {
        listeners.delete(heard)
        end?.()
      }
    },
  }
}
