import type { CountStore } from '../counts/count-store.ts'
import type { DataFolder } from './database.ts'

/** Counts of a data folder, which one process owns. */
export function createSqliteCountStore({ send }: Pick<DataFolder, 'send'>): CountStore {
  return {
    describe: (flowId, described) => send('describe counted', flowId, described),
    fold: () => send('count facts'),
    pendingSince: () => send('first uncounted'),
    sum: (request) => send('sum counts', request),
    page: (request) => send('page of counts', request),
    places: (flowId) => send('counted places', flowId),
  }
}
