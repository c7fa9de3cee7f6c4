import type { FlowTable } from '../flow-table.ts'
import {
  type EndpointKind,
  type EndpointTable,
  endpointsOf,
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
  options: MemoryEndpointTableOptions,
): EndpointTable {
  const endpoints = new Map<string, StoredEndpoint>()
  const { list, put, remove, disable } = endpointsOf(kind, {
    ...options,
    records: {
      list: () => [...endpoints.keys()].sort().map((name) => endpoints.get(name) as StoredEndpoint),
      put({ name, text, most }) {
        const before = endpoints.get(name)
        if (!before && endpoints.size >= most) return undefined
        const revision = (before?.revision ?? 0) + 1
        endpoints.set(name, { name, text, revision, disabled: null })
        return revision
      },
      remove: (name) => endpoints.delete(name),
      disable({ name, revision }, disabled) {
        const endpoint = endpoints.get(name)
        if (endpoint?.revision === revision) endpoints.set(name, { ...endpoint, disabled })
      },
    },
  })
  return {
    list: async () => list(),
    put: async (change) => put(change),
    remove: async (change) => remove(change),
    disable: async (endpoint, reason) => disable(endpoint, reason),
  }
}
