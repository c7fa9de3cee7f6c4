import type { FlowTable } from '../flow-table.ts'
import {
  destinationOf,
  type EndpointKind,
  type EndpointTable,
  inboxOf,
  type StoredEndpoint,
} from '../outgoing/endpoint-table.ts'
import type { MemoryInbox } from './memory-inbox.ts'
import type { MemoryOutbox } from './memory-outbox.ts'

interface MemoryEndpointTableOptions extends Pick<FlowTable, 'note'> {
  readonly outbox: Pick<MemoryOutbox, 'drop'>
  readonly inbox: Pick<MemoryInbox, 'drop'>
}

/** Keeps endpoints of a kind for as long as this process lives. */
export function createMemoryEndpointTable(
  kind: EndpointKind,
  { note, outbox, inbox }: MemoryEndpointTableOptions,
): EndpointTable {
  const endpoints = new Map<string, StoredEndpoint>()

  function drop(name: string): void {
    outbox.drop(destinationOf(name, kind))
    if (kind === 'channel') inbox.drop(inboxOf(name))
  }

  return {
    list: async () => [...endpoints.keys()].sort().map((name) => endpoints.get(name) as StoredEndpoint),
    async put({ name, text, actor, most }) {
      const before = endpoints.get(name)
      if (!before && endpoints.size >= most) return false
      if (!before) drop(name)
      endpoints.set(name, { name, text, revision: (before?.revision ?? 0) + 1, disabled: null })
      const detail = before ? 'changed' : 'new'
      await note({ actor, action: `put ${kind}`, subject: name, detail })
      return true
    },
    async remove({ name, actor }) {
      if (!endpoints.delete(name)) return false
      drop(name)
      await note({ actor, action: `delete ${kind}`, subject: name, detail: '' })
      return true
    },
    async disable({ name, revision }, disabled) {
      const endpoint = endpoints.get(name)
      if (endpoint?.revision === revision) endpoints.set(name, { ...endpoint, disabled })
    },
  }
}
