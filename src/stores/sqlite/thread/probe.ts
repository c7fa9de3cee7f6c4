import type { Database } from './binding.ts'

/** No hash of a definition is called so. */
const name = 'probe'

/** A row that says nothing, to find out whether rows can be written. One that is left behind goes as unnamed definitions do. */
export function createProbe(database: Database) {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO definitions (hash, released, text) VALUES (?, ?, hex(zeroblob(?)))',
  )
  const remove = database.prepare('DELETE FROM definitions WHERE hash = ?')
  return {
    write: (now: number, bytes: number) => void insert.run(name, now, bytes / 2),
    erase: () => void remove.run(name),
  }
}
