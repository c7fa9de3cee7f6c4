import type { FlowTable } from '../flow-table.ts'
import type { DataFolder } from './database.ts'

/** The catalogue of a data folder, which one process owns. */
export function createSqliteFlowTable({ send }: Pick<DataFolder, 'send'>): FlowTable {
  return {
    list: () => send('list flows'),
    find: (publicId) => send('find flow', publicId),
    versions: (publicId) => send('list versions', publicId),
    definition: (hash) => send('get definition', hash),
    change: (change) => send('change flow', change),
    note: (entry) => send('note in audit', entry),
    audit: ({ before = Number.MAX_SAFE_INTEGER, limit }) => send('list audit', before, limit),
    follow: () => async () => undefined,
  }
}
