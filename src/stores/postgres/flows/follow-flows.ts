import { PostgresListener } from '../postgres-listener.ts'

export interface FollowOptions {
  readonly databaseUrl: string
  /** Milliseconds between two looks, whatever notifications say: they are lost while the server is away. */
  readonly pollMs?: number
}

const lastChange = 'SELECT max(changed) AS changed FROM flows'

/**
 * Calls with every change of the catalogue, whichever process made it, and once at the beginning; where the call rejects,
 * it is made again. Keeps a connection of its own, which is renewed when it is lost. Returns what ends that.
 */
export function followFlows(options: FollowOptions, onChange: () => Promise<void>): () => Promise<void> {
  let seen: unknown
  let isClosed = false
  const listener = new PostgresListener({
    ...options,
    channel: 'flow_changes',
    onText: () => listener.look(),
    async look(client) {
      const { rows } = await client.query<{ changed: unknown }>(lastChange)
      const changed = rows[0]?.changed ?? null
      if (isClosed || changed === seen) return
      await onChange()
      seen = changed
    },
  })
  return () => {
    isClosed = true
    return listener.close()
  }
}
