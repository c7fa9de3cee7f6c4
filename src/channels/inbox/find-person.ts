import { contactKey } from '../../conversations/contact/met-contact.ts'
import { idOfPerson, memoriesOfSame } from '../../conversations/contact/same-person.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { ChannelUser } from '../messenger.ts'
import { contactIdOf } from './person.ts'

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
  memory: object,
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
    contact: { key, readAt, profile, memory: JSON.stringify(memory), links: [] },
  })
}
