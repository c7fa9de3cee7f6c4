import type pg from 'pg'
import type { Relay } from '../announcements.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { PostgresListener } from './postgres-listener.ts'

interface PostgresRelayOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly databaseUrl: string
}

const channel = 'announcements'

const notify = `SELECT pg_notify('${channel}', $1)`

/** Reaches the processes on a database. Each that listens keeps a connection of its own. */
export function createPostgresRelay({ database, databaseUrl }: PostgresRelayOptions): Relay {
  return {
    publish: (text) => database.query(notify, [text]),
    subscribe(onText) {
      const look = (client: pg.Client) => client.query('SELECT')
      const listener = new PostgresListener({ databaseUrl, channel, onText, look })
      return () => void listener.close()
    },
  }
}
