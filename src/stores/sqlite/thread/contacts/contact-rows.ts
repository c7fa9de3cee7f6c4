import { joinMemory, type WrittenContact } from '../../../codec/contact-memory.ts'
import type { ContactLink, ContactLinksRequest, FoundContact, StoredContact } from '../../../contact-store.ts'
import type { Database } from '../binding.ts'

interface Row extends Omit<StoredContact, 'profile'> {
  readonly profile: string | null
  readonly isErased: 0 | 1
  readonly erasedAt: number | null
}

/** Persons, and the conversations of each. An erased one leaves its key, and when it was erased. */
export function createContactRows(database: Database) {
  const select = database.prepare(
    `SELECT profile, memory, revision, first_seen AS firstSeen, last_seen AS lastSeen, is_erased AS isErased,
       erased_at AS erasedAt
     FROM contacts WHERE key = ?`,
  )
  const put = database.prepare(
    `INSERT OR REPLACE INTO contacts (key, profile, memory, revision, first_seen, last_seen, is_erased, erased_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remember = database.prepare('UPDATE contacts SET memory = ?, revision = revision + 1 WHERE key = ?')
  const selectLinks = database.prepare(
    `SELECT number, session_id AS sessionId, flow_id AS flowId, result_id AS resultId, at FROM contact_links
     WHERE contact = ? AND number < ? AND (flow_id = ? OR ?) ORDER BY number DESC LIMIT ?`,
  )
  const addLink = database.prepare(
    `INSERT INTO contact_links (contact, session_id, flow_id, result_id, at) SELECT ?1, ?2, ?3, ?4, ?5
     WHERE NOT EXISTS (
       SELECT 1 FROM contact_links WHERE contact = ?1 AND session_id = ?2 AND flow_id = ?3 AND result_id = ?4)`,
  )
  const removeLink = database.prepare('DELETE FROM contact_links WHERE contact = ? AND number = ?')
  const find = (key: string) => select.get(key) as Row | undefined

  return {
    find(now: number, key: string): FoundContact {
      const row = find(key)
      if (!row || row.isErased) return { contact: undefined, readAt: now }
      const { profile, memory, revision, firstSeen, lastSeen } = row
      const contact = { profile: profile ?? undefined, memory, revision, firstSeen, lastSeen }
      return { contact, readAt: now }
    },
    /** Whether a turn that has read a contact may still write it. */
    isCurrent: ({ key, readAt }: WrittenContact): boolean => (find(key)?.erasedAt ?? 0) < readAt,
    keep({ key, profile, memory, links }: WrittenContact, sessionId: string, now: number): void {
      const row = find(key)
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
    },
    links: (_: number, key: string, { before, flowId, limit }: ContactLinksRequest) =>
      selectLinks.all(
        key,
        before ?? Number.MAX_SAFE_INTEGER,
        flowId ?? '',
        flowId === undefined ? 1 : 0,
        limit,
      ) as ContactLink[],
    erase: (now: number, key: string) => void put.run(key, null, '{}', 0, now, now, 1, now),
    unlink(_: number, key: string, numbers: readonly number[]): void {
      for (const number of numbers) removeLink.run(key, number)
    },
  }
}
