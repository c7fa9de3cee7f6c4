import { readConversation } from '../../codec/conversation-codec.ts'
import { isOfMachine } from '../database-protocol.ts'
import { type Database, errcodeOf } from './binding.ts'

export interface DefinitionRows {
  put(hash: string, text: string): void
  get(hash: string): string | undefined
  retain(hash: string): void
  release(hash: string, now: number): void
  /** Takes a step of erasing definitions that no session names; true when more is to do. */
  prune(now: number): boolean
}

/** How long a definition is kept after no flow is published with it, whatever names it: turns may be under way. */
const graceMs = 60 * 60 * 1000

/** Sessions that a step looks through. */
const stepSessions = 200

/** Between two passes. */
const pauseMs = 60 * 60 * 1000

/** A pass through all sessions, in steps: no turn waits for more than one of them. */
interface Pass {
  readonly unnamed: Set<string>
  after: number
}

/** Definitions of published flows, now and before. Those of the versions in the catalogue stay, even when released. */
export function createDefinitionRows(database: Database, opened: number): DefinitionRows {
  const releaseAll = database.prepare('UPDATE definitions SET released = ? WHERE released IS NULL')
  const insert = database.prepare(
    'INSERT OR IGNORE INTO definitions (hash, released, text) VALUES (?, NULL, ?)',
  )
  const select = database.prepare('SELECT text FROM definitions WHERE hash = ?')
  const release = database.prepare('UPDATE definitions SET released = ? WHERE hash = ?')
  const released = database.prepare(
    'SELECT hash FROM definitions WHERE released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
  )
  const sessions = database.prepare('SELECT rowid, text FROM sessions WHERE rowid > ? ORDER BY rowid LIMIT ?')
  const remove = database.prepare(
    'DELETE FROM definitions WHERE hash = ? AND released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
  )
  let isAnew = false
  let pass: Pass | undefined
  let nextPass = 0

  /** Whatever is still published says so again. */
  function beginAnew(): void {
    if (isAnew) return
    releaseAll.run(opened)
    isAnew = true
  }

  function begin(now: number): Pass | undefined {
    if (now < nextPass) return undefined
    nextPass = now + pauseMs
    const unnamed = (released.all(now - graceMs) as { hash: string }[]).map(({ hash }) => hash)
    return unnamed.length === 0 ? undefined : { unnamed: new Set(unnamed), after: 0 }
  }

  try {
    beginAnew()
  } catch (error) {
    // What can't be written now is written before anything is published.
    if (!isOfMachine(errcodeOf(error))) throw error
  }

  return {
    put(hash, text) {
      beginAnew()
      insert.run(hash, text)
    },
    get: (hash) => (select.get(hash) as { text: string } | undefined)?.text,
    retain(hash) {
      beginAnew()
      release.run(null, hash)
    },
    release: (hash, now) => void release.run(now, hash),
    prune(now) {
      beginAnew()
      pass ??= begin(now)
      if (!pass) return false
      const { unnamed } = pass
      const rows = sessions.all(pass.after, stepSessions) as { rowid: number; text: string }[]
      for (const { text } of rows)
        for (const { program } of readConversation(text).session.queue) unnamed.delete(program)
      pass.after = rows.at(-1)?.rowid ?? 0
      if (rows.length === stepSessions && unnamed.size > 0) return true
      for (const hash of unnamed) remove.run(hash, now - graceMs)
      pass = undefined
      return false
    },
  }
}
