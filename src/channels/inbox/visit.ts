import { contactKey } from '../../conversations/contact/met-contact.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import type { ChannelOutput } from '../../conversations/outgoing/channel-output.ts'
import type { SessionChannel } from '../../sessions/session.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { CallDependencies, InboundMessage } from '../messenger.ts'
import { contactIdOf, findPerson } from './person.ts'

/** Needed to answer messages. */
export interface InboxDependencies {
  readonly chat: ChatDependencies & { readonly channelOutput: ChannelOutput }
  readonly uploads: Pick<Uploads, 'offer' | 'receive'>
  readonly calls: CallDependencies
}

/** The same for a message of the inbox. */
export interface TakeDependencies extends InboxDependencies {
  /** Whether no other process may have taken the message, and those behind it. */
  isOurs(): boolean
}

/** A message that is to be answered, and whose it is. */
export interface Visit {
  readonly message: InboundMessage
  readonly channel: OpenChannel
  readonly contactId: string
  /** Of the contact, in the stores. */
  readonly key: string
  /** The conversation that the person had last on this channel, as far as it is kept. */
  readonly last: StoredConversation | undefined
}

/** Conversations of a person that are looked at, the latest first: links of one may stand several times. */
const mostLooked = 5

/** Looks up who has sent a message, and what they had to do with this channel before. */
export async function openVisit(
  message: InboundMessage,
  channel: OpenChannel,
  { chat }: InboxDependencies,
): Promise<Visit> {
  const { id } = message.user
  const known = await lastConversation(contactIdOf(id, channel), channel, chat)
  const contactId = known ? contactIdOf(id, channel) : await findPerson(message.user, channel, chat)
  const last = known ?? (await lastConversation(contactId, channel, chat))
  return { message, channel, contactId, key: contactKey({ id: contactId, isVerified: true }), last }
}

/** The conversation that a contact had last on a channel; undefined where none is kept. */
export async function lastConversation(
  contactId: string,
  channel: OpenChannel,
  { contacts, conversations }: Pick<ChatDependencies, 'contacts' | 'conversations'>,
): Promise<StoredConversation | undefined> {
  const links = await contacts.links(contactKey({ id: contactId, isVerified: true }), { limit: mostLooked })
  for (const id of new Set(links.map(({ sessionId }) => sessionId))) {
    const stored = await conversations.look(id)
    if (stored?.session.channel?.name === channel.name) return stored
  }
  return undefined
}

const pressOf = ({ content, sentAt = 0 }: InboundMessage) =>
  content.kind === 'press' ? { id: content.id, at: sentAt } : undefined

/** Facts of a message for the session that takes it. */
export const channelOf = ({ message, channel }: Visit): SessionChannel & { readonly heard: string } => ({
  name: channel.name,
  messenger: channel.account.name,
  to: message.user.id,
  heard: message.id,
  pressed: pressOf(message),
  ...(message.referral && { referral: message.referral }),
})
