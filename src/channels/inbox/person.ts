import { languageTag } from '../../../schemas/common.ts'
import type { Contact } from '../../../schemas/contact.ts'
import { contactKey } from '../../conversations/contact/met-contact.ts'
import { idOfPerson, memoriesOfSame } from '../../conversations/contact/same-person.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { Remembered } from '../../sessions/session-contact.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { ChannelUser } from '../messenger.ts'

/** Characters of the id of a contact. */
const longestId = 128

type Account = {
  readonly account: Pick<OpenChannel['account'], 'name'>
  readonly settings: { readonly account: string }
}

/** The contact that somebody on a messenger is: `whatsapp:ACCOUNT:USER`, and a hash of the rest where that is too long. */
export function contactIdOf(userId: string, { account: { name }, settings }: Account): string {
  const id = `${name}:${settings.account}:${userId}`
  return id.length <= longestId ? id : `${name}:${contentHash(`${settings.account}:${userId}`)}`
}

/** Names the contact in the stores. */
const keyOfUser = (userId: string, account: Account): string =>
  contactKey({ id: contactIdOf(userId, account), isVerified: true })

/** Messages of one person are taken in order: a name that may go, such as a number, comes before the one that stays. */
export const queueKeyOf = ({ id, otherIds: [first] = [] }: ChannelUser, account: Account): string =>
  keyOfUser(first ?? id, account)

/** A person as a messenger describes them, as far as it is fit for a contact. */
export function profileOf({ name, phone, locale }: ChannelUser): Omit<Contact, 'id'> {
  return {
    ...(name && { name: name.slice(0, 200).toWellFormed() }),
    ...(phone && { phone: phone.slice(0, 40) }),
    ...(locale && locale.length <= 35 && new RegExp(languageTag).test(locale) && { locale }),
  }
}

type Stores = Pick<ChatDependencies, 'contacts' | 'conversations' | 'ports'>

/**
 * The id of the contact whom somebody on a messenger is: the one that they had by another of their names, where they are known by that, and
 * from then on by this one too.
 */
export async function findPerson(
  { id, otherIds = [] }: ChannelUser,
  channel: OpenChannel,
  deps: Stores,
): Promise<string> {
  const { contacts } = deps
  const ownId = contactIdOf(id, channel)
  const present = await idOfPerson(ownId, contacts)
  if (present !== ownId || otherIds.length === 0) return present
  const { contact } = await contacts.find(keyOf(ownId))
  if (contact) return ownId
  for (const otherId of otherIds) {
    const first = await idOfPerson(contactIdOf(otherId, channel), contacts)
    const { contact: before } = await contacts.find(keyOf(first))
    if (!before) continue
    const { ofFirst, ofOther } = memoriesOfSame(ownId, { first, contact: before })
    await remember(first, ofFirst, deps)
    await remember(ownId, ofOther, deps)
    return first
  }
  return ownId
}

const keyOf = (id: string) => contactKey({ id, isVerified: true })

/** Persons are written by commits alone: this is one of a conversation that nothing has happened in. */
async function remember(
  id: string,
  memory: Remembered,
  { contacts, conversations, ports }: Stores,
): Promise<void> {
  const key = keyOf(id)
  const { contact, readAt } = await contacts.find(key)
  const profile = contact?.profile ?? JSON.stringify({ id })
  await conversations.start({
    session: {
      id: ports.createId('session'),
      kind: 'live',
      state: 'ended',
      createdAt: ports.now(),
      queue: [],
      answered: 0,
    },
    results: [],
    contact: { key, readAt, profile, memory, links: [] },
  })
}
