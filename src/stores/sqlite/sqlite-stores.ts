import type { ContactStore } from '../contact-store.ts'
import type { CountStore } from '../counts/count-store.ts'
import type { FlowTable } from '../flow-table.ts'
import type { EndpointTable } from '../outgoing/endpoint-table.ts'
import { fullInbox, type InboxStore, type OutboxStore } from '../outgoing/outbox-store.ts'
import type { DataFolder } from './database.ts'

const queue = ['claim', 'settle', 'list', 'retry', 'countWaiting'] as const
const endpoints = ['list', 'put', 'remove', 'disable'] as const

/** The stores of a data folder that are no more than their rows in the thread. */
export function sqliteStores(folder: Pick<DataFolder, 'calls'>) {
  const outbox = folder.calls('outbox', ...queue, 'track')
  const inbox = folder.calls('inbox', ...queue, 'put')
  const flows = folder.calls('flows', 'list', 'find', 'versions', 'change', 'note', 'audit')
  const counts = folder.calls('counts', 'describe', 'fold', 'pendingSince', 'sum', 'page', 'places')
  return {
    contacts: {
      ...folder.calls('contacts', 'find', 'links', 'unlink'),
      erase: folder.calls('turns', 'eraseContact').eraseContact,
    } satisfies ContactStore,
    counts: counts satisfies CountStore,
    flowTable: {
      ...flows,
      definition: folder.calls('definitions', 'get').get,
      // One process owns the folder.
      follow: () => async () => undefined,
    } satisfies FlowTable,
    outbox: {
      ...outbox,
      settle: ({ number, attempts }, outcome) => outbox.settle({ number, attempts }, outcome),
    } satisfies OutboxStore,
    inbox: {
      ...inbox,
      settle: ({ number, attempts }, outcome) => inbox.settle({ number, attempts }, outcome),
      async put(messages) {
        if ((await inbox.put(messages)) > 0) throw fullInbox()
      },
    } satisfies InboxStore,
    endpoints: folder.calls('webhook', ...endpoints) satisfies EndpointTable,
    channels: folder.calls('channel', ...endpoints) satisfies EndpointTable,
  }
}
