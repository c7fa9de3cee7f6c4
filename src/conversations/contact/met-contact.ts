import { contentHash } from '../../definition/content-hash.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { SessionContact } from '../../sessions/session-contact.ts'
import type { ContactStore, ContactWrite } from '../../stores/contact-store.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'
import type { GivenContact } from './read-contact.ts'

/** Person whom a start is held with, as the store knows them. */
export interface MetContact {
  readonly session: SessionContact
  /** JSON; undefined for one that nobody vouches for. */
  readonly profile: string | undefined
}

/** Keys of those who were here lately: each turn with a person asks for one. To keep them in an order takes longer than to look one up. */
const [vouchedFor, claimed] = [new Map<string, string>(), new Map<string, string>()]

const mostKnown = 10_000

/** Names a person in the store. Whoever only says an id never gets the name of the person that has it. */
export function contactKey({ id, isVerified }: Pick<SessionContact, 'id' | 'isVerified'>): string {
  const keys = isVerified ? vouchedFor : claimed
  const known = keys.get(id)
  if (known !== undefined) return known
  const key = contentHash(JSON.stringify([isVerified, id]))
  if (keys.size === mostKnown) keys.clear()
  keys.set(id, key)
  return key
}

/** Looks up the person whom a live start names, with what is remembered of one that is vouched for. */
export async function meetContact(
  { profile, isVerified }: GivenContact,
  contacts: Pick<ContactStore, 'find'>,
): Promise<MetContact> {
  const { id, name, email, phone, timeZone } = profile
  const { contact, readAt } = await contacts.find(contactKey({ id, isVerified }))
  const said = { id, name, email, phone, timeZone, isVerified, readAt }
  if (!isVerified) return { session: said, profile: undefined }
  const memory = Object.entries(JSON.parse(contact?.memory ?? '{}')) as SessionContact['memory']
  return { session: { ...said, memory }, profile: JSON.stringify(profile) }
}

/** A contact of a preview is made up: nobody is looked up, and nothing is kept. */
export function madeUpContact({ profile, isVerified }: GivenContact): MetContact {
  const { id, name, email, phone, timeZone } = profile
  return { session: { id, name, email, phone, timeZone, isVerified, readAt: 0 }, profile: undefined }
}

interface LeftFacts {
  readonly contact: SessionContact
  /** Of a start. */
  readonly met?: MetContact | undefined
  readonly results: readonly ResultUpdate[]
}

/** Changes of a turn to the contact of a live session; undefined for nothing, as most do. */
export function contactWrite(
  conversation: Conversation,
  { contact, met, results }: LeftFacts,
): ContactWrite | undefined {
  if (!conversation.isLive) return undefined
  const { program, resultId: rootId = '' } = conversation.frames[0]
  const others = results.filter(({ id }) => id !== rootId)
  const links = others.map(({ flowId, id: resultId }) => ({ flowId, resultId }))
  if (met) links.unshift({ flowId: program.id, resultId: rootId })
  const memory = writtenMemory(conversation)
  if (memory === undefined && links.length === 0) return undefined
  return { key: contactKey(contact), readAt: contact.readAt, profile: met?.profile, memory, links }
}

function writtenMemory({ memory }: Conversation): ContactWrite['memory'] {
  if (!memory || memory.written.size === 0) return undefined
  return [...memory.written].map((name) => [name, memory.values.get(name) ?? null])
}
