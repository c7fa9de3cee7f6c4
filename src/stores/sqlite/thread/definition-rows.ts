import { readConversation } from '../../codec/conversation-codec.ts'
import type { Definition } from '../../definition-store.ts'
import type { Database } from './binding.ts'

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
export function createDefinitionRows(database: Database, opened: number) {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO definitions (hash, released, text) VALUES (?, NULL, ?)',
  )
  const select = database.prepare('SELECT text FROM definitions WHERE hash = ?')
  const release = database.prepare('UPDATE definitions SET released = ? WHERE hash = ?')
  const unrelease = database.prepare(
    'UPDATE definitions SET released = NULL WHERE hash = ? AND released IS NOT NULL',
  )
  const presence = database.prepare('SELECT 1 FROM definitions WHERE hash = ?')
  const unreleased = database.prepare('SELECT hash FROM definitions WHERE released IS NULL')
  const released = database.prepare(
    'SELECT hash FROM definitions WHERE released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
  )
  const sessions = database.prepare('SELECT rowid, text FROM sessions WHERE rowid > ? ORDER BY rowid LIMIT ?')
  const remove = database.prepare(
    'DELETE FROM definitions WHERE hash = ? AND released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
  )
  /** By this process. What the one before has retained and this one never does is released as of its beginning. */
  const retained = new Set<string>()
  let isOfThisProcess = false
  let pass: Pass | undefined
  let nextPass = 0

  function releaseLeft(now: number): void {
    if (isOfThisProcess || now < opened + graceMs) return
    for (const { hash } of unreleased.all() as { hash: string }[])
      if (!retained.has(hash)) release.run(opened, hash)
    isOfThisProcess = true
  }

  function begin(now: number): Pass | undefined {
    if (now < nextPass) return undefined
    nextPass = now + pauseMs
    releaseLeft(now)
    const unnamed = (released.all(now - graceMs) as { hash: string }[]).map(({ hash }) => hash)
    return unnamed.length === 0 ? undefined : { unnamed: new Set(unnamed), after: 0 }
  }

  return {
    put: ({ hash, text }: Definition) => void insert.run(hash, text),
    get: (hash: string) => (select.get(hash) as { text: string } | undefined)?.text,
    /** Whether its text is there. Writes nothing where it is retained already, as by the process before. */
    retain(hash: string): boolean {
      retained.add(hash)
      unrelease.run(hash)
      return presence.get(hash) !== undefined
    },
    release(hash: string, now: number): void {
      retained.delete(hash)
      release.run(now, hash)
    },
    /** Takes a step of erasing definitions that no session names; true when more is to do. */
    prune(now: number): boolean {
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
