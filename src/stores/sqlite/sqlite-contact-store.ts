import type { ContactStore } from '../contact-store.ts'
import type { DataFolder } from './database.ts'

/** Persons of a data folder, which one process owns. */
export function createSqliteContactStore({ send }: Pick<DataFolder, 'send'>): ContactStore {
  return {
    find: (key) => send('find contact', key),
    links: (key, request) => send('contact links', key, request),
    erase: (key) => send('erase contact', key),
    unlink: (key, numbers) => send('unlink contact', key, numbers),
  }
}
