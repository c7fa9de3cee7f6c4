import pg from 'pg'
import { applicationName } from './run-migrations.ts'

export interface ListenerOptions {
  readonly databaseUrl: string
  readonly channel: string
  onText(text: string): void
}

/** A connection of its own that hears what is said on a channel. What is said while it is lost is lost. */
export interface Listener {
  /**
   * Does something over the connection, which is made first where there is none. One that fails at it is given up: it is of
   * no use, whatever the reason. Not to be called while another call runs.
   */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const deadlineMs = 1_000

export function openListener({ databaseUrl, channel, onText }: ListenerOptions): Listener {
  let client: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      keepAlive: true,
    })
    // What is lost is noticed by the next use, which connects again.
    fresh.on('error', () => drop(fresh))
    fresh.on('notification', ({ payload = '' }) => onText(payload))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
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

  return {
    async use(work) {
      client ??= await connect()
      const used = client
      try {
        return await work(used)
      } catch (error) {
        drop(used)
        throw error
      }
    },
    async close() {
      await client?.end().catch(() => undefined)
    },
  }
}
