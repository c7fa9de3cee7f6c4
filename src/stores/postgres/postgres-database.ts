import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { createStoreHealth, type StoreHealth, type StoreReport } from '../store-health.ts'
import type { ConnectionUsage } from '../store-usage.ts'
import { errorOfStatement, isConnectionLost, serverAway } from './postgres-health.ts'
import { storableValue } from './postgres-text.ts'
import { applicationName } from './run-migrations.ts'

interface PostgresOptions {
  readonly databaseUrl: string
  /** Connections that this process keeps at most. */
  readonly maxConnections: number
  readonly report: StoreReport
  /** Told how long each statement of a turn took, with the wait for a connection. */
  readonly asked?: (ms: number) => void
}

/** Runs one statement, which each connection plans once, and returns its rows. */
export type Query = <Row>(statement: string, values?: readonly unknown[]) => Promise<Row[]>

/** How long connecting, waiting for a connection, and a statement of a turn may take. */
const connectMs = 1_000
const statementMs = 2_000

/** How long statements may take that go through many rows. */
const longStatementMs = 30_000

const idleMs = 60_000

/**
 * Statements of turns find few rows by their keys, however many there are: a plan is made once for all values, and never to
 * read a whole table, as it would be while the server has no statistics of it yet. A plan that
 * has to all the same counts as dear, and the server would compile it: half a second for a statement that takes milliseconds.
 */
const planning = [
  'SET plan_cache_mode = force_generic_plan',
  'SET enable_seqscan = off',
  'SET enable_mergejoin = off',
  'SET jit = off',
].join('; ')

const begin = 'BEGIN'
/** Longer work may go through whole tables. */
const planWhole = 'SET LOCAL enable_seqscan = on'
const commit = 'COMMIT'
const rollback = 'ROLLBACK'
/** A kept answer that no request can name, as names of answers have a blank. The sweep erases it where a probe could not. */
const probe = `INSERT INTO answers (name, session_id, fingerprint, deadline, expires, text)
VALUES ($1, '', '', 0, 0, $2)
ON CONFLICT (name) DO UPDATE SET text = excluded.text`
const endProbe = 'DELETE FROM answers WHERE name = $1'

/** Numbers of the tables stay far below what a double can hold. */
const int8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * A database over a few connections, opened as they are needed; none yet. The schema is to be there already: `runMigrations`.
 * Whatever is asked is answered or refused within its deadline, also when the server is away: SERVICE_UNAVAILABLE for what the
 * server is, another error for what the statement is. A statement that was refused for its deadline may have been carried out.
 * Its functions may be taken apart.
 */
export class PostgresDatabase {
  readonly #pool: pg.Pool
  readonly #health: StoreHealth
  readonly #asked: PostgresOptions['asked']
  /** Work that may take longer than turns may: that it fails is a reason to ask the probe, and says nothing about turns. */
  readonly #longWork = { failed: () => void this.#health.problems() }

  constructor({ databaseUrl, maxConnections, report, asked }: PostgresOptions) {
    const probeName = `probe-${randomBytes(9).toString('base64url')}`
    this.#asked = asked
    this.#health = createStoreHealth({
      report,
      wellAgain: 'The database serves again',
      probe: (bytes) =>
        this.#withClient(statementMs, async (query) => {
          await query(probe, [probeName, randomBytes(bytes).toString('base64')])
          await query(endProbe, [probeName])
        }),
    })
    this.#pool = openPool(databaseUrl, maxConnections)
  }

  readonly query: Query = async (statement, values) => {
    const from = performance.now()
    try {
      return await this.#withClient(statementMs, (query) => query(statement, values))
    } finally {
      this.#asked?.(performance.now() - from)
    }
  }

  /** Runs statements as one unit on one connection, for work that may take longer than a turn may wait. */
  readonly transaction = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    this.#withClient(longStatementMs, (query) => asUnit(query, work), this.#longWork)

  readonly connections = (): ConnectionUsage => {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  /** Finds out whether turns can be kept; why not. */
  readonly problems = (): Promise<readonly string[]> => this.#health.problems()

  readonly close = (): Promise<void> => this.#pool.end()

  /** Lends a connection, and does away with one that was lost or does not answer. */
  async #withClient<T>(
    deadlineMs: number,
    work: (query: Query) => Promise<T>,
    noted: Pick<StoreHealth, 'failed'> = this.#health,
  ): Promise<T> {
    const client = await this.#connect()
    let isLost = false
    const query = async <Row>(text: string, values: readonly unknown[] = []) => {
      const name = statementName(text)
      const config = { name, text, values: values.map(storableValue), query_timeout: deadlineMs }
      try {
        const { rows } = await client.query(config)
        this.#health.served()
        return rows as Row[]
      } catch (error) {
        isLost ||= isConnectionLost(error)
        throw errorOfStatement(error, noted)
      }
    }
    try {
      return await work(query)
    } finally {
      client.release(isLost)
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw serverAway(error, this.#health)
    }
  }
}

function openPool(databaseUrl: string, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: applicationName,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    query_timeout: statementMs,
    statement_timeout: longStatementMs,
    idle_in_transaction_session_timeout: longStatementMs,
    types,
  })
  // A connection that is lost while nobody uses it: the next statement says whether there is another.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    // What is lost while it is lent fails its statement too; unheard, it would end the process.
    client.on('error', () => undefined)
    client.query(planning).catch(() => undefined)
  })
  return pool
}

const names = new Map<string, string>()

/** The name of a statement on each connection: the same text has the same name, in whatever process and build. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}

async function asUnit<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query(begin)
  try {
    await query(planWhole)
    const outcome = await work(query)
    await query(commit)
    return outcome
  } catch (error) {
    await query(rollback)
    throw error
  }
}
