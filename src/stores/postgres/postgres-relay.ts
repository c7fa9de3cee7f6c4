import type { Relay } from '../announcements.ts'
import { openListener } from './open-listener.ts'
import type { PostgresDatabase } from './postgres-database.ts'

export interface PostgresRelayOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly databaseUrl: string
}

/** How often it is asked whether the connection that listens is still there. */
const pollMs = 2_000

const channel = 'announcements'

const notify = { name: 'announce', text: `SELECT pg_notify('${channel}', $1)` }

/** Reaches the processes on a database. Each that listens keeps a connection of its own, renewed when it is lost. */
export function createPostgresRelay({ database, databaseUrl }: PostgresRelayOptions): Relay {
  return {
    publish: (text) => database.query(notify, [text]),
    subscribe(onText) {
      const listener = openListener({ databaseUrl, channel, onText })
      let isClosed = false
      let timer: NodeJS.Timeout | undefined
      let looking: Promise<void>
      const look = () => {
        looking = listener
          .use(async (client) => void (await client.query('SELECT')))
          .catch(() => undefined)
          .then(() => {
            if (!isClosed) timer = setTimeout(look, pollMs).unref()
          })
      }
      look()
      return () => {
        isClosed = true
        clearTimeout(timer)
        void looking.then(listener.close)
      }
    },
  }
}
