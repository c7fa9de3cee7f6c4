import { joinMemory, type WrittenContact } from '../../../codec/contact-memory.ts'
import {
  type ContactLink,
  type ContactLinksRequest,
  type FoundContact,
  mostMemoryBytes,
  type StoredContact,
} from '../../../contact-store.ts'
import { prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'

interface Row extends Omit<StoredContact, 'profile'> {
  readonly profile: string | null
  readonly isErased: 0 | 1
  readonly erasedAt: number | null
}

interface Met {
  readonly row: Row | undefined
}

/** Persons, and the conversations of each. An erased one leaves its key, and when it was erased. */
export class ContactRows {
  readonly #clock: RowsContext['clock']
  readonly #statements

  constructor({ database, clock }: Pick<RowsContext, 'database' | 'clock'>) {
    this.#clock = clock
    this.#statements = prepareAll(database, {
      select: `SELECT profile, memory, revision, first_seen AS firstSeen, last_seen AS lastSeen, is_erased AS isErased,
          erased_at AS erasedAt
        FROM contacts WHERE key = ?`,
      put: `INSERT OR REPLACE INTO contacts (key, profile, memory, revision, first_seen, last_seen, is_erased, erased_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      remember: 'UPDATE contacts SET memory = ?, revision = revision + 1 WHERE key = ?',
      join: `UPDATE contacts SET memory = json_patch(memory, ?1), revision = revision + 1
        WHERE key = ?2 AND NOT is_erased AND coalesce(erased_at, 0) < ?3
          AND octet_length(memory) + octet_length(?1) <= ${mostMemoryBytes}`,
      links: `SELECT number, session_id AS sessionId, flow_id AS flowId, result_id AS resultId, at FROM contact_links
        WHERE contact = ? AND number < ? AND (flow_id = ? OR ?) ORDER BY number DESC LIMIT ?`,
      addLink: `INSERT INTO contact_links (contact, session_id, flow_id, result_id, at) SELECT ?1, ?2, ?3, ?4, ?5
        WHERE NOT EXISTS (
          SELECT 1 FROM contact_links WHERE contact = ?1 AND session_id = ?2 AND flow_id = ?3 AND result_id = ?4)`,
      removeLink: 'DELETE FROM contact_links WHERE contact = ? AND number = ?',
    })
  }

  find(key: string): FoundContact {
    const readAt = this.#clock.now
    const row = this.#find(key)
    if (!row || row.isErased) return { contact: undefined, readAt }
    const { profile, memory, revision, firstSeen, lastSeen } = row
    return { contact: { profile: profile ?? undefined, memory, revision, firstSeen, lastSeen }, readAt }
  }

  /**
   * Adds to what is remembered of a person in one statement, as nearly all turns that leave something do; false where the person has
   * to be looked up: another part changes, there may be no room, or they are not there.
   */
  join({ key, readAt, profile, memory, links }: WrittenContact): boolean {
    if (memory === undefined || profile !== undefined || links.length > 0) return false
    return Number(this.#statements.join.run(memory, key, readAt).changes) > 0
  }

  /** Looks up a person whom a turn writes; undefined where it may not, as they were erased since it has read them. */
  meet({ key, readAt }: WrittenContact): Met | undefined {
    const row = this.#find(key)
    return (row?.erasedAt ?? 0) < readAt ? { row } : undefined
  }

  keep({ key, profile, memory, links }: WrittenContact, sessionId: string, { row }: Met): void {
    const { now } = this.#clock
    const { put, remember, addLink } = this.#statements
    const before = row?.isErased ? undefined : row
    const joined = memory === undefined ? undefined : joinMemory(before?.memory ?? '{}', memory)
    if (before && memory !== undefined && profile === undefined) {
      // Most turns that leave something leave this alone, which changes no index.
      if (joined !== undefined) remember.run(joined, key)
    } else
      put.run(
        key,
        profile ?? before?.profile ?? null,
        joined ?? before?.memory ?? '{}',
        (before?.revision ?? 0) + (joined === undefined ? 0 : 1),
        before?.firstSeen ?? now,
        now,
        0,
        row?.erasedAt ?? null,
      )
    for (const { flowId, resultId } of links) addLink.run(key, sessionId, flowId, resultId, now)
  }

  links(key: string, { before, flowId, limit }: ContactLinksRequest): readonly ContactLink[] {
    const isOfAny = flowId === undefined ? 1 : 0
    return this.#statements.links.all(key, before ?? Number.MAX_SAFE_INTEGER, flowId ?? '', isOfAny, limit)
  }

  erase(key: string): void {
    const { now } = this.#clock
    this.#statements.put.run(key, null, '{}', 0, now, now, 1, now)
  }

  unlink(key: string, numbers: readonly number[]): void {
    for (const number of numbers) this.#statements.removeLink.run(key, number)
  }

  #find(key: string): Row | undefined {
    return this.#statements.select.get(key)
  }
}
