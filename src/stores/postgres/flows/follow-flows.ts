import pg from 'pg'
import { applicationName } from '../run-migrations.ts'

export interface FollowOptions {
  readonly databaseUrl: string
  /** Milliseconds between two looks, whatever notifications say: they are lost while the server is away. */
  readonly pollMs?: number
}

/** With the deadlines below, a change is known five seconds after it at the latest. */
const usualPollMs = 2_000

const deadlineMs = 1_000

const lastChange = 'SELECT max(changed) AS changed FROM flows'

/**
 * Calls with every change of the catalogue, whichever process made it, and once at the beginning; where the call rejects,
 * it is made again. Keeps a connection of its own, which is renewed when it is lost. Returns what ends that.
 */
export function followFlows(
  { databaseUrl, pollMs = usualPollMs }: FollowOptions,
  onChange: () => Promise<void>,
): () => Promise<void> {
  let client: pg.Client | undefined
  let seen: unknown
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      keepAlive: true,
    })
    // What is lost is noticed by the next look, which connects again.
    fresh.on('error', () => drop(fresh))
    fresh.on('notification', () => look())
    try {
      await fresh.connect()
      await fresh.query('LISTEN flow_changes')
    } catch (error) {
      drop(fresh)
      throw error
    }
    return fresh
  }

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined
    lost.end().catch(() => undefined)
  }

  async function lookOnce(): Promise<void> {
    let used: pg.Client | undefined
    try {
      client ??= await connect()
      used = client
      const { rows } = await used.query<{ changed: unknown }>(lastChange)
      const changed = rows[0]?.changed ?? null
      if (isClosed || changed === seen) return
      await onChange()
      seen = changed
    } catch {
      // A connection that does not answer is of no use, whatever the reason.
      if (used) drop(used)
    }
  }

  /** One look at a time: what is asked for meanwhile is one more of them. */
  function look(): void {
    isAskedAgain = looking !== undefined
    if (isClosed || looking) return
    clearTimeout(timer)
    looking = lookOnce().finally(() => {
      looking = undefined
      if (isAskedAgain) look()
      else if (!isClosed) timer = setTimeout(look, pollMs).unref()
    })
  }

  look()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await looking
    await client?.end().catch(() => undefined)
  }
}
