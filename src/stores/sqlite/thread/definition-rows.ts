import { readConversation } from '../../codec/conversation-codec.ts'
import type { Definition } from '../../definition-store.ts'
import { prepareAll } from './binding.ts'
import type { RowsContext } from './rows-context.ts'

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

/** The row of a probe: no hash of a definition is called so. One that is left behind goes as unnamed definitions do. */
const probe = 'probe'

/** Definitions of published flows, now and before. Those of the versions in the catalogue stay, even when released. */
export class DefinitionRows {
  readonly #clock: RowsContext['clock']
  readonly #statements
  /** When this process began. */
  readonly #opened: number
  /** By this process. What the one before has retained and this one never does is released as of its beginning. */
  readonly #retained = new Set<string>()
  #isOfThisProcess = false
  #pass: Pass | undefined
  #nextPass = 0

  constructor({ database, clock }: RowsContext) {
    this.#clock = clock
    this.#opened = clock.now
    this.#statements = prepareAll(database, {
      insert: 'INSERT OR IGNORE INTO definitions (hash, released, text) VALUES (?, NULL, ?)',
      select: 'SELECT text FROM definitions WHERE hash = ?',
      release: 'UPDATE definitions SET released = ? WHERE hash = ?',
      unrelease: 'UPDATE definitions SET released = NULL WHERE hash = ? AND released IS NOT NULL',
      presence: 'SELECT 1 FROM definitions WHERE hash = ?',
      unreleased: 'SELECT hash FROM definitions WHERE released IS NULL',
      released:
        'SELECT hash FROM definitions WHERE released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
      sessions: 'SELECT rowid, text FROM sessions WHERE rowid > ? ORDER BY rowid LIMIT ?',
      remove:
        'DELETE FROM definitions WHERE hash = ? AND released < ? AND hash NOT IN (SELECT hash FROM flow_versions)',
      probe: 'INSERT OR REPLACE INTO definitions (hash, released, text) VALUES (?, ?, hex(zeroblob(?)))',
      endProbe: 'DELETE FROM definitions WHERE hash = ?',
    })
  }

  put(definitions: readonly Definition[]): void {
    for (const { hash, text } of definitions) this.#statements.insert.run(hash, text)
  }

  get(hash: string): string | undefined {
    return this.#statements.select.get<{ text: string }>(hash)?.text
  }

  getAll(hashes: readonly string[]): readonly (readonly [hash: string, text: string])[] {
    return hashes.flatMap((hash) => {
      const text = this.get(hash)
      return text === undefined ? [] : [[hash, text] as const]
    })
  }

  /** Those whose text is missing. Writes nothing where one is retained already, as by the process before. */
  retain(hashes: readonly string[]): readonly string[] {
    return hashes.filter((hash) => {
      this.#retained.add(hash)
      this.#statements.unrelease.run(hash)
      return this.#statements.presence.get(hash) === undefined
    })
  }

  release(hashes: readonly string[]): void {
    for (const hash of hashes) {
      this.#retained.delete(hash)
      this.#statements.release.run(this.#clock.now, hash)
    }
  }

  /** Writes so many bytes, to find out whether that is possible. */
  probe(bytes: number): void {
    this.#statements.probe.run(probe, this.#clock.now, bytes / 2)
  }

  endProbe(): void {
    this.#statements.endProbe.run(probe)
  }

  /** Takes a step of erasing definitions that no session names; true when more is to do. */
  prune(): boolean {
    this.#pass ??= this.#begin()
    if (!this.#pass) return false
    const { unnamed } = this.#pass
    const rows = this.#statements.sessions.all<{ rowid: number; text: string }>(
      this.#pass.after,
      stepSessions,
    )
    for (const { text } of rows)
      for (const { program } of readConversation(text).session.queue) unnamed.delete(program)
    this.#pass.after = rows.at(-1)?.rowid ?? 0
    if (rows.length === stepSessions && unnamed.size > 0) return true
    for (const hash of unnamed) this.#statements.remove.run(hash, this.#clock.now - graceMs)
    this.#pass = undefined
    return false
  }

  #begin(): Pass | undefined {
    const { now } = this.#clock
    if (now < this.#nextPass) return undefined
    this.#nextPass = now + pauseMs
    this.#releaseLeft(now)
    const unnamed = this.#statements.released.all<Pick<Definition, 'hash'>>(now - graceMs)
    return unnamed.length === 0 ? undefined : { unnamed: new Set(unnamed.map(({ hash }) => hash)), after: 0 }
  }

  #releaseLeft(now: number): void {
    if (this.#isOfThisProcess || now < this.#opened + graceMs) return
    for (const { hash } of this.#statements.unreleased.all<Pick<Definition, 'hash'>>())
      if (!this.#retained.has(hash)) this.#statements.release.run(this.#opened, hash)
    this.#isOfThisProcess = true
  }
}
