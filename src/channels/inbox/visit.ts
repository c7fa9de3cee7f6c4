import type { ChatDependencies } from '../../conversations/dependencies.ts'
import type { ChannelOutput } from '../../conversations/outgoing/channel-output.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { SessionChannel } from '../../stores/session.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { CallDependencies, InboundMessage } from '../messenger.ts'
import { contactIdOf, keyOfUser } from './person.ts'

/** Needed to answer messages. */
export interface InboxDependencies {
  readonly chat: ChatDependencies & { readonly channelOutput: ChannelOutput }
  readonly uploads: Pick<Uploads, 'offer' | 'receive'>
  readonly calls: CallDependencies
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

/** Looks up who has sent a message, by each of the names that they have been known by. */
export async function openVisit(
  message: InboundMessage,
  channel: OpenChannel,
  deps: InboxDependencies,
): Promise<Visit> {
  const { id, otherIds = [] } = message.user
  for (const userId of [id, ...otherIds]) {
    const last = await lastConversation(userId, channel, deps.chat)
    if (last) return visitOf(userId, last)
  }
  return visitOf(id, undefined)

  function visitOf(userId: string, last: StoredConversation | undefined): Visit {
    return {
      message,
      channel,
      contactId: contactIdOf(userId, channel),
      key: keyOfUser(userId, channel),
      last,
    }
  }
}

/** The conversation that somebody had last on a channel, by one of their names; undefined where none is kept. */
export async function lastConversation(
  userId: string,
  channel: OpenChannel,
  { contacts, conversations }: Pick<ChatDependencies, 'contacts' | 'conversations'>,
): Promise<StoredConversation | undefined> {
  const links = await contacts.links(keyOfUser(userId, channel), { limit: mostLooked })
  for (const id of new Set(links.map(({ sessionId }) => sessionId))) {
    const stored = await conversations.look(id)
    if (stored?.session.channel?.name === channel.name) return stored
  }
  return undefined
}

/** Facts of a message for the session that takes it. */
export const channelOf = ({ message, channel }: Visit): SessionChannel & { readonly heard: string } => ({
  name: channel.name,
  messenger: channel.account.name,
  to: message.user.id,
  heard: message.id,
  ...(message.referral && { referral: message.referral }),
})
