import {
  destinationOf,
  type EndpointKind,
  type EndpointTable,
  inboxOf,
  type StoredEndpoint,
  tableOfKind,
} from '../../../outgoing/endpoint-table.ts'
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

type Change<Of extends 'put' | 'remove'> = Parameters<EndpointTable[Of]>[0]

/** Where events are sent. */
export class EndpointRows {
  readonly #kind: EndpointKind
  readonly #options: EndpointRowsOptions
  readonly #statements

  constructor(kind: EndpointKind, options: EndpointRowsOptions) {
    this.#kind = kind
    this.#options = options
    const table = tableOfKind[kind]
    this.#statements = prepareAll(options.context.database, {
      list: `SELECT name, revision, text, disabled FROM ${table} ORDER BY name`,
      put: `INSERT INTO ${table} (name, revision, text) SELECT ?1, 1, ?2
        WHERE (SELECT count(*) FROM ${table} WHERE name <> ?1) < ?3
        ON CONFLICT (name) DO UPDATE SET revision = revision + 1, text = excluded.text, disabled = NULL
        RETURNING revision`,
      remove: `DELETE FROM ${table} WHERE name = ?`,
      disable: `UPDATE ${table} SET disabled = ? WHERE name = ? AND revision = ?`,
    })
  }

  list(): readonly StoredEndpoint[] {
    return this.#statements.list.all()
  }

  put({ name, text, actor, most }: Change<'put'>): boolean {
    const put = this.#statements.put.get<{ revision: number }>(name, text, most)
    if (!put) return false
    const isNew = put.revision === 1
    if (isNew) this.#drop(name)
    const detail = isNew ? 'new' : 'changed'
    this.#options.flows.note({ actor, action: `put ${this.#kind}`, subject: name, detail })
    return true
  }

  remove({ name, actor }: Change<'remove'>): boolean {
    if (Number(this.#statements.remove.run(name).changes) === 0) return false
    this.#drop(name)
    this.#options.flows.note({ actor, action: `delete ${this.#kind}`, subject: name, detail: '' })
    return true
  }

  disable({ name, revision }: Pick<StoredEndpoint, 'name' | 'revision'>, reason: string): void {
    this.#statements.disable.run(reason, name, revision)
  }

  /** Drops the events of its destination. */
  #drop(name: string): void {
    const { outbox, inbox } = this.#options
    outbox.drop(destinationOf(name, this.#kind))
    if (this.#kind === 'channel') inbox.drop(inboxOf(name))
  }
}
