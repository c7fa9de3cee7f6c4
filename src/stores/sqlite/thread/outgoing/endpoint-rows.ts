import type { AuditEntry } from '../../../flow-table.ts'
import {
  destinationOf,
  type EndpointKind,
  inboxOf,
  type StoredEndpoint,
  tableOfKind,
} from '../../../outgoing/endpoint-table.ts'
import type { Database } from '../binding.ts'

interface EndpointRowsOptions {
  /** Adds a row to the audit. */
  note(now: number, entry: AuditEntry): void
  /** Drop the events of a destination. */
  readonly outbox: { drop(destination: string): void }
  readonly inbox: { drop(destination: string): void }
}

/** Where events are sent. */
export function createEndpointRows(
  database: Database,
  kind: EndpointKind,
  { note, outbox, inbox }: EndpointRowsOptions,
) {
  const table = tableOfKind[kind]
  const list = database.prepare(`SELECT name, revision, text, disabled FROM ${table} ORDER BY name`)
  const put = database.prepare(
    `INSERT INTO ${table} (name, revision, text) VALUES (?, 1, ?)
     ON CONFLICT (name) DO UPDATE SET revision = revision + 1, text = excluded.text, disabled = NULL
     RETURNING revision`,
  )
  const remove = database.prepare(`DELETE FROM ${table} WHERE name = ?`)
  const disable = database.prepare(`UPDATE ${table} SET disabled = ? WHERE name = ? AND revision = ?`)

  function drop(name: string): void {
    outbox.drop(destinationOf(name, kind))
    if (kind === 'channel') inbox.drop(inboxOf(name))
  }

  return {
    list: () => list.all() as StoredEndpoint[],
    put(now: number, { name, text, actor }: { name: string; text: string; actor: string }): void {
      const { revision } = put.get(name, text) as { revision: number }
      if (revision === 1) drop(name)
      note(now, {
        actor,
        action: `put ${kind}`,
        subject: name,
        detail: revision === 1 ? 'new' : 'changed',
      })
    },
    remove(now: number, { name, actor }: { name: string; actor: string }): boolean {
      if (Number(remove.run(name).changes) === 0) return false
      drop(name)
      note(now, { actor, action: `delete ${kind}`, subject: name, detail: '' })
      return true
    },
    disable: (_: number, { name, revision }: Pick<StoredEndpoint, 'name' | 'revision'>, reason: string) =>
      void disable.run(reason, name, revision),
  }
}
