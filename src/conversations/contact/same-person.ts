import type { Remembered } from '../../sessions/session-contact.ts'
import type { ContactStore, StoredContact } from '../../stores/contact-store.ts'
import { contactKey } from './met-contact.ts'

/**
 * A person whom a messenger names anew is one contact: what is remembered under the new id is whose it is, and under the one that they have
 * had first, by which ids they are known too.
 */
const sameAs = '$sameAs'
const knownAs = '$knownAs'

type Memory = Readonly<Record<string, unknown>>

const memoryOf = (contact: StoredContact | undefined): Memory => JSON.parse(contact?.memory ?? '{}')

/** The id under which a person is kept who is vouched for: what an id stands for that was given to them later. */
export async function idOfPerson(id: string, { find }: Pick<ContactStore, 'find'>): Promise<string> {
  const { contact } = await find(contactKey({ id, isVerified: true }))
  const first = memoryOf(contact)[sameAs]
  return typeof first === 'string' ? first : id
}

/** Further ids by which a person is known. */
export function otherIdsOf(contact: StoredContact | undefined): readonly string[] {
  const ids = memoryOf(contact)[knownAs]
  return Array.isArray(ids) ? ids.map(String) : []
}

/** Memories of both, where the ids are found to be one person's. */
export function memoriesOfSame(
  id: string,
  { first, contact }: { first: string; contact: StoredContact | undefined },
) {
  return {
    ofFirst: [[knownAs, [...new Set([...otherIdsOf(contact), id])]]],
    ofOther: [[sameAs, first]],
  } satisfies Record<string, Remembered>
}
