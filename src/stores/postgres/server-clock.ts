import { repeating, type Timers } from '../timers.ts'
import type { PostgresDatabase } from './postgres-database.ts'

/** How often the server is asked: in between it is counted on by a clock that only goes forward. */
const askMs = 30_000

/** A question that took longer says too little, but for the first. */
const longestMs = 500

/** The clock that all processes at one database share, whatever that of their machine says. */
interface ServerClock {
  /** Milliseconds since 1970. */
  now(): number
  close(): void
}

/** Rejects where the server can't be asked; later failures leave the clock as it is. */
export async function openServerClock(
  { query }: Pick<PostgresDatabase, 'query'>,
  timers: Timers,
): Promise<ServerClock> {
  let offset: number | undefined
  let isClosed = false

  async function ask(): Promise<void> {
    const began = performance.now()
    const [row] = await query<{ now: number }>('SELECT service_clock() AS now')
    const ended = performance.now()
    if (row && (offset === undefined || ended - began < longestMs)) offset = row.now - (began + ended) / 2
  }

  await ask()
  repeating({ timers, pauseMs: askMs, isWanted: () => !isClosed, work: ask })()
  return {
    now: () => Math.round(Number(offset) + performance.now()),
    close() {
      isClosed = true
    },
  }
}
