import type { FlowTable } from '../flow-table.ts'
import { destinationOf, type EndpointTable, type StoredEndpoint } from '../outgoing/endpoint-table.ts'
import type { MemoryOutbox } from './memory-outbox.ts'

/** Keeps endpoints for as long as this process lives. */
export function createMemoryEndpointTable(
  { note }: Pick<FlowTable, 'note'>,
  outbox: Pick<MemoryOutbox, 'drop'>,
): EndpointTable {
  const endpoints = new Map<string, StoredEndpoint>()
  return {
    list: async () => [...endpoints.keys()].sort().map((name) => endpoints.get(name) as StoredEndpoint),
    async put({ name, text, actor }) {
      const before = endpoints.get(name)
      if (!before) outbox.drop(destinationOf(name))
      endpoints.set(name, { name, text, revision: (before?.revision ?? 0) + 1, disabled: null })
      const detail = before ? 'changed' : 'new'
      await note({ actor, action: 'put webhook', subject: name, detail })
    },
    async remove({ name, actor }) {
      if (!endpoints.delete(name)) return false
      outbox.drop(destinationOf(name))
      await note({ actor, action: 'delete webhook', subject: name, detail: '' })
      return true
    },
    async disable({ name, revision }, disabled) {
      const endpoint = endpoints.get(name)
      if (endpoint?.revision === revision) endpoints.set(name, { ...endpoint, disabled })
    },
  }
}
