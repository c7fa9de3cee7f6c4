import pg from 'pg'
import { createPostgresHealth, isConnectionLost, type PostgresReport } from './postgres-health.ts'
import { applicationName } from './run-migrations.ts'

export interface PostgresOptions {
  readonly databaseUrl: string
  /** Connections that this process keeps at most. */
  readonly maxConnections: number
  readonly report: PostgresReport
}

/** A statement under a name, by which each connection plans it once. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Runs one statement and returns its rows. */
export type Query = <Row>(statement: Statement, values?: readonly unknown[]) => Promise<Row[]>

/**
 * A database over a few connections. Whatever is asked is answered or refused within its deadline, also when the server is
 * away: SERVICE_UNAVAILABLE for what the server is, another error for what the statement is. A statement that was refused
 * for its deadline may have been carried out.
 */
export interface PostgresDatabase {
  readonly query: Query
  /** Runs statements as one unit on one connection, for work that may take longer than a turn may wait. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Asks the server whether it can be written to; why not. */
  problems(): Promise<readonly string[]>
  close(): Promise<void>
}

/** How long connecting, waiting for a connection, and a statement of a turn may take. */
const connectMs = 1_000
const statementMs = 2_000

/** How long statements may take that go through many rows. */
const longStatementMs = 30_000

const idleMs = 60_000

/**
 * Statements of turns find few rows by their keys, however many there are: a plan is made once for all values, and never to
 * read a whole table, as it would be while the server has no statistics of it yet.
 */
const planning =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_mergejoin = off'

const begin: Statement = { name: 'begin', text: 'BEGIN' }
/** Longer work may go through whole tables. */
const planWhole: Statement = { name: 'plan whole', text: 'SET LOCAL enable_seqscan = on' }
const commit: Statement = { name: 'commit', text: 'COMMIT' }
const rollback: Statement = { name: 'rollback', text: 'ROLLBACK' }
const probe: Statement = { name: 'probe', text: 'SELECT pg_is_in_recovery() AS "isReadOnly"' }

/** Numbers of the tables stay far below what a double can hold. */
const int8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** Opens connections as they are needed; none yet. The schema is to be there already: `runMigrations`. */
export function openPostgres({ databaseUrl, maxConnections, report }: PostgresOptions): PostgresDatabase {
  const health = createPostgresHealth(report)
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
  pool.on('error', (error) => void health.note(error))
  pool.on('connect', (client) => {
    // What is lost while it is lent fails its statement too; unheard, it would end the process.
    client.on('error', () => undefined)
    client.query(planning).catch(() => undefined)
  })

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      throw health.note(error)
    }
  }

  /** Lends a connection, and does away with one that was lost or does not answer. */
  async function withClient<T>(deadlineMs: number, work: (query: Query) => Promise<T>): Promise<T> {
    const client = await connect()
    let isLost = false
    const query = async <Row>({ name, text }: Statement, values: readonly unknown[] = []) => {
      const config = { name, text, values: values as unknown[], query_timeout: deadlineMs }
      try {
        const { rows } = await client.query(config)
        health.succeeded()
        return rows as Row[]
      } catch (error) {
        isLost ||= isConnectionLost(error)
        throw health.note(error)
      }
    }
    try {
      return await work(query)
    } finally {
      client.release(isLost)
    }
  }

  return {
    query: (statement, values) => withClient(statementMs, (query) => query(statement, values)),
    transaction: (work) =>
      withClient(longStatementMs, async (query) => {
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
      }),
    async problems() {
      try {
        const [row] = await withClient(connectMs, (query) => query<{ isReadOnly: boolean }>(probe))
        return row?.isReadOnly ? ['The database can only be read: it is a standby'] : []
      } catch {
        return [health.problem() ?? 'The database does not serve']
      }
    },
    close: () => pool.end(),
  }
}
