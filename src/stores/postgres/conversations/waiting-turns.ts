import type { Timers } from '../../timers.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { pollWaiting } from './enter-statements.ts'
import { groupByToken, isThere, type SessionRow } from './session-row.ts'

/** Asks for the turns of this process that wait behind others, of whatever process. */
export interface WaitingTurns {
  /** Resolves with the sessions that are there once it is let in. Rejects when its place in line is lost. */
  wait(token: string): Promise<readonly SessionRow[]>
  /** Asks at once: somebody in this process has left a session. */
  nudge(): void
  /** Refuses all that wait. */
  close(error: Error): void
}

export interface WaitingTurnsOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly timers: Timers
  readonly leaseMs: number
  elapsed(): number
  /** What a place that was lost comes to. */
  lost(): Error
}

/** How often is asked for turns that have just come, and for those that have waited long. */
const leastPollMs = 25
const mostPollMs = 250

/** Of the time that the youngest has waited. */
const pollShare = 1 / 8

interface Waiter {
  readonly since: number
  resolve(rows: readonly SessionRow[]): void
  reject(error: unknown): void
}

type PolledRow = { readonly token: string; readonly isTaken: boolean } & Partial<SessionRow>

export function createWaitingTurns(options: WaitingTurnsOptions): WaitingTurns {
  const { database, timers, leaseMs, elapsed, lost } = options
  const waiters = new Map<string, Waiter>()
  let isScheduled = false
  let isPolling = false
  let isNudged = false

  function schedule(): void {
    if (isScheduled || waiters.size === 0) return
    isScheduled = true
    const youngest = Math.max(...[...waiters.values()].map(({ since }) => since))
    const pauseMs = Math.min(Math.max((elapsed() - youngest) * pollShare, leastPollMs), mostPollMs)
    timers.after(pauseMs, () => {
      isScheduled = false
      void poll()
    })
  }

  /** One at a time: what comes meanwhile is asked for right afterwards. */
  async function poll(): Promise<void> {
    if (isPolling) {
      isNudged = true
      return
    }
    isPolling = true
    do {
      isNudged = false
      await pollOnce()
    } while (isNudged && waiters.size > 0)
    isPolling = false
    schedule()
  }

  async function pollOnce(): Promise<void> {
    const asked = [...waiters]
    if (asked.length === 0) return
    try {
      const rows = await database.query<PolledRow>(pollWaiting, [asked.map(([token]) => token), leaseMs])
      const inLine = new Set(rows.map(({ token }) => token))
      for (const [token, { reject }] of asked) if (!inLine.has(token)) settle(token, () => reject(lost()))
      const taken = groupByToken(rows.filter(({ isTaken }) => isTaken))
      for (const [token, found] of taken) settle(token, ({ resolve }) => resolve(found.filter(isThere)))
    } catch (error) {
      for (const [token, { reject }] of asked) settle(token, () => reject(error))
    }
  }

  function settle(token: string, how: (waiter: Waiter) => void): void {
    const waiter = waiters.get(token)
    waiters.delete(token)
    if (waiter) how(waiter)
  }

  return {
    wait: (token) =>
      new Promise((resolve, reject) => {
        waiters.set(token, { since: elapsed(), resolve, reject })
        // The holder of the session may have left while this one got its place.
        void poll()
      }),
    nudge() {
      if (waiters.size > 0) void poll()
    },
    close(error) {
      for (const token of [...waiters.keys()]) settle(token, ({ reject }) => reject(error))
    },
  }
}
