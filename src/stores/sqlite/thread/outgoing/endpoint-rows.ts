import type { AuditEntry } from '../../../flow-table.ts'
import { destinationOf, type StoredEndpoint } from '../../../outgoing/endpoint-table.ts'
import type { Database } from '../binding.ts'

interface EndpointRowsOptions {
  /** Adds a row to the audit. */
  note(now: number, entry: AuditEntry): void
  /** Drops the events of a destination. */
  drop(destination: string): void
}

/** Where events are sent. */
export function createEndpointRows(database: Database, { note, drop }: EndpointRowsOptions) {
  const list = database.prepare('SELECT name, revision, text, disabled FROM endpoints ORDER BY name')
  const put = database.prepare(
    `INSERT INTO endpoints (name, revision, text) VALUES (?, 1, ?)
     ON CONFLICT (name) DO UPDATE SET revision = revision + 1, text = excluded.text, disabled = NULL
     RETURNING revision`,
  )
  const remove = database.prepare('DELETE FROM endpoints WHERE name = ?')
  const disable = database.prepare('UPDATE endpoints SET disabled = ? WHERE name = ? AND revision = ?')
  return {
    list: () => list.all() as StoredEndpoint[],
    put(now: number, { name, text, actor }: { name: string; text: string; actor: string }): void {
      const { revision } = put.get(name, text) as { revision: number }
      if (revision === 1) drop(destinationOf(name))
      note(now, {
        actor,
        action: 'put webhook',
        subject: name,
        detail: revision === 1 ? 'new' : 'changed',
      })
    },
    remove(now: number, { name, actor }: { name: string; actor: string }): boolean {
      if (Number(remove.run(name).changes) === 0) return false
      drop(destinationOf(name))
      note(now, { actor, action: 'delete webhook', subject: name, detail: '' })
      return true
    },
    disable: (_: number, { name, revision }: Pick<StoredEndpoint, 'name' | 'revision'>, reason: string) =>
      void disable.run(reason, name, revision),
  }
}
