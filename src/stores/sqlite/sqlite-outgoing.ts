import type { EndpointKind, EndpointTable } from '../outgoing/endpoint-table.ts'
import { type EventQueue, fullInbox, type InboxStore, type OutboxStore } from '../outgoing/outbox-store.ts'
import type { DataFolder } from './database.ts'

type Folder = Pick<DataFolder, 'send'>

/** The outbox of a data folder. */
export function createSqliteOutbox(folder: Folder): OutboxStore {
  return {
    ...queueOf(folder, 'outbox'),
    track: (changes) => folder.send('track deliveries', changes),
  }
}

/** The inbox of a data folder. */
export function createSqliteInbox(folder: Folder): InboxStore {
  return {
    ...queueOf(folder, 'inbox'),
    async put(messages) {
      const left = await folder.send('put messages', messages)
      if (left > 0) throw fullInbox()
    },
  }
}

function queueOf({ send }: Folder, name: 'outbox' | 'inbox'): EventQueue {
  return {
    claim: (wanted, leaseMs) => send('claim events', name, wanted, leaseMs),
    settle: ({ number, attempts }, outcome) => send('settle event', name, { number, attempts }, outcome),
    list: (destination, page) => send('list events', name, destination, page),
    retry: (destination, which) => send('retry events', name, destination, which),
    countWaiting: () => send('count events', name),
  }
}

/** The endpoints of a kind in a data folder. */
export function createSqliteEndpointTable({ send }: Folder, kind: EndpointKind): EndpointTable {
  return {
    list: () => send('list endpoints', kind),
    put: (change) => send('put endpoint', kind, change),
    remove: (change) => send('remove endpoint', kind, change),
    disable: ({ name, revision }, reason) => send('disable endpoint', kind, { name, revision }, reason),
  }
}
