import { type EndpointKind, endpointsOf, tableOfKind } from '../../../outgoing/endpoint-table.ts'
import { prepareAll } from '../binding.ts'
import type { FlowRows } from '../flow-rows.ts'
import type { RowsContext } from '../rows-context.ts'
import type { QueueRows } from './queue-rows.ts'

interface EndpointRowsOptions {
  readonly context: RowsContext
  /** With the audit. */
  readonly flows: Pick<FlowRows, 'note'>
  readonly outbox: Pick<QueueRows, 'drop'>
  readonly inbox: Pick<QueueRows, 'drop'>
}

/** Where events are sent. */
export function openEndpointRows(kind: EndpointKind, { context, flows, ...queues }: EndpointRowsOptions) {
  const table = tableOfKind[kind]
  const { list, put, remove, disable } = prepareAll(context.database, {
    list: `SELECT name, revision, text, disabled FROM ${table} ORDER BY name`,
    put: `INSERT INTO ${table} (name, revision, text) SELECT ?1, 1, ?2
      WHERE (SELECT count(*) FROM ${table} WHERE name <> ?1) < ?3
      ON CONFLICT (name) DO UPDATE SET revision = revision + 1, text = excluded.text, disabled = NULL
      RETURNING revision`,
    remove: `DELETE FROM ${table} WHERE name = ?`,
    disable: `UPDATE ${table} SET disabled = ? WHERE name = ? AND revision = ?`,
  })
  return endpointsOf(kind, {
    ...queues,
    note: (entry) => flows.note(entry),
    records: {
      list: () => list.all(),
      put: ({ name, text, most }) => put.get<{ revision: number }>(name, text, most)?.revision,
      remove: (name) => Number(remove.run(name).changes) > 0,
      disable: ({ name, revision }, reason) => void disable.run(reason, name, revision),
    },
  })
}
