import type { Timers } from '../../timers.ts'
import { createUnreturned } from '../../unreturned.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { abandonTokens, findLease, releaseTokens, renewTokens } from './lease-statements.ts'

/** A right that is lost unless it is renewed: a lease, or a place in line, with the key that it claims. */
export interface HeldToken {
  readonly id: string
  readonly token: string
  readonly claim: string | undefined
  /** By the clock of this process; undefined for a place in line. */
  heldUntil?: number
}

/** Renews what this process holds, for as long as it holds something. */
export interface TokenKeeper {
  hold(held: HeldToken): void
  /** Whether it is held as far as this process knows; nothing is asked. */
  holds(held: HeldToken): boolean
  /** Whether it is still held, asking the server where that is not certain. */
  confirm(held: HeldToken): Promise<boolean>
  /** Stops renewing it. */
  drop(held: HeldToken): void
  /** Gives it back: once the server is there again where it is away now, unless it has run out by then. */
  release(held: HeldToken): Promise<void>
  /** Gives back what a statement may have taken that was given up, and may still be carried out. */
  takeBack(held: HeldToken): void
  /** Gives everything back, so that others can go on. */
  abandon(): Promise<void>
}

export interface TokenKeeperOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly timers: Timers
  readonly leaseMs: number
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number
}

/** For this part of its time a lease is held for certain; then the server is asked. */
export const heldShare = 7 / 8

export function createTokenKeeper({ database, timers, leaseMs, elapsed }: TokenKeeperOptions): TokenKeeper {
  const tokens = new Map<string, HeldToken>()
  let isRenewing = false

  function schedule(): void {
    if (isRenewing || tokens.size === 0) return
    isRenewing = true
    timers.after(leaseMs / 3, () => {
      void renew().finally(() => {
        isRenewing = false
        schedule()
      })
    })
  }

  async function renew(): Promise<void> {
    const all = [...tokens.values()]
    if (all.length === 0) return
    const until = elapsed() + leaseMs * heldShare
    try {
      const rows = await database.query<{ token: string }>(renewTokens, [
        all.map(({ id }) => id),
        all.map(({ token }) => token),
        leaseMs,
        all.flatMap(({ claim }) => (claim === undefined ? [] : [claim])),
      ])
      const good = new Set(rows.map(({ token }) => token))
      for (const held of all) {
        // A place that has become a lease meanwhile was neither for this statement.
        if (!good.has(held.token) && tokens.get(held.token) === held) tokens.delete(held.token)
        else if (held.heldUntil !== undefined) held.heldUntil = until
      }
    } catch {
      // What runs out meanwhile is lost, and its commit refused.
    }
  }

  const give = (given: readonly HeldToken[], statement = releaseTokens) =>
    database.query(statement, [
      given.map(({ id }) => id),
      given.map(({ token }) => token),
      given.map(({ claim }) => claim ?? null),
    ])
  const unreturned = createUnreturned<HeldToken>({ give, leaseMs, timers, elapsed })

  return {
    hold(held) {
      tokens.set(held.token, held)
      schedule()
    },
    holds: ({ token }) => tokens.has(token),
    async confirm({ id, token, heldUntil = 0 }) {
      if (!tokens.has(token)) return false
      if (elapsed() < heldUntil) return true
      return (await database.query(findLease, [id, token])).length > 0
    },
    drop: ({ token }) => void tokens.delete(token),
    async release(held) {
      tokens.delete(held.token)
      await unreturned.giveBack(held)
    },
    takeBack: unreturned.takeBack,
    async abandon() {
      const all = [...tokens.values()]
      tokens.clear()
      unreturned.close()
      if (all.length > 0) await give(all, abandonTokens).catch(() => undefined)
    },
  }
}
