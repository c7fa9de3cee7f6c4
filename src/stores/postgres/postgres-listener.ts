import pg from 'pg'
import { coalesce } from '../../lib/semaphore.ts'
import { repeating, systemTimers } from '../timers.ts'
import { applicationName } from './run-migrations.ts'

interface ListenerOptions {
  readonly databaseUrl: string
  readonly channel: string
  onText(text: string): void
  /** Called at once, and again every `pollMs` milliseconds and when it is asked for: by that a connection is found lost. */
  look(client: pg.Client): Promise<unknown>
  readonly pollMs?: number
}

const deadlineMs = 1_000

/** With the deadlines, what is looked for is found five seconds after it changed at the latest. */
const usualPollMs = 2_000

/**
 * A connection of its own that hears what is said on a channel. It is made anew when it is lost, or when a look fails, whatever the
 * reason. What is said meanwhile is lost.
 */
export class PostgresListener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #isClosed = false
  /** One look at a time: what is asked for meanwhile is one more of them. */
  readonly look = coalesce(() => this.#lookOnce())

  constructor(options: ListenerOptions) {
    this.#options = options
    const { pollMs = usualPollMs } = options
    void this.look()
    repeating({ timers: systemTimers, pauseMs: pollMs, isWanted: () => !this.#isClosed, work: this.look })()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.look()
    await this.#client?.end().catch(() => undefined)
  }

  async #lookOnce(): Promise<void> {
    if (this.#isClosed) return
    try {
      this.#client ??= await this.#connect()
      await this.#options.look(this.#client)
    } catch {
      // The next look connects again.
      this.#drop(this.#client)
    }
  }

  async #connect(): Promise<pg.Client> {
    const { databaseUrl, channel, onText } = this.#options
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      keepAlive: true,
    })
    client.on('error', () => this.#drop(client))
    client.on('notification', ({ payload = '' }) => onText(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      this.#drop(client)
      throw error
    }
    return client
  }

  #drop(lost: pg.Client | undefined): void {
    if (this.#client === lost) this.#client = undefined
    lost?.end().catch(() => undefined)
  }
}
