import type { EndpointTable } from '../outgoing/endpoint-table.ts'
import type { OutboxStore } from '../outgoing/outbox-store.ts'
import type { DataFolder } from './database.ts'

/** The outbox of a data folder. */
export function createSqliteOutbox({ send }: Pick<DataFolder, 'send'>): OutboxStore {
  return {
    claim: (wanted, leaseMs) => send('claim outgoing', wanted, leaseMs),
    settle: ({ number, attempts }, outcome) => send('settle outgoing', { number, attempts }, outcome),
    list: (destination, page) => send('list deliveries', destination, page),
    retry: (destination, which) => send('retry deliveries', destination, which),
  }
}

/** The endpoints of a data folder. */
export function createSqliteEndpointTable({ send }: Pick<DataFolder, 'send'>): EndpointTable {
  return {
    list: () => send('list endpoints'),
    put: (change) => send('put endpoint', change),
    remove: (change) => send('remove endpoint', change),
    disable: ({ name, revision }, reason) => send('disable endpoint', { name, revision }, reason),
  }
}
