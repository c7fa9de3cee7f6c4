import type { Settings } from '../../../schemas/settings.ts'
import type { Session, SessionChannel } from '../../sessions/session.ts'
import type { Remembered } from '../../sessions/session-contact.ts'
import type { ContactWrite } from '../../stores/contact-store.ts'
import { messageOf } from '../words.ts'
import { commitChannel } from './commit-channel.ts'
import { profileOf } from './person.ts'
import type { Notice, Waiting } from './reading.ts'
import { channelOf, type InboxDependencies, type Visit } from './visit.ts'

/** Of words that come without the imitation of typing. */
export const unhurried: Settings = { typingEmulation: { enabled: false } }

/** Answers a message with words in the conversation that goes on, of which no turn is taken. */
export async function noticeInSession(
  sessionId: string,
  { text, waiting, dropsFiles }: Notice,
  /** Without a visit it answers no message. */
  { visit, deps }: { readonly visit?: Visit; readonly deps: InboxDependencies },
): Promise<void> {
  await commitChannel(sessionId, deps, ({ channel: before, ...of }) => {
    if (visit && before.heard === visit.message.id) return undefined
    const channel = {
      ...before,
      ...(visit && { heard: visit.message.id }),
      ...(dropsFiles && { files: undefined }),
    }
    const { settings = unhurried, ...asked } = askedAgain(waiting, channel)
    const messages = [messageOf(text), ...asked.messages]
    return deps.chat.channelOutput({ ...of, ...asked, channel, messages, settings })
  })
}

/** The question that waits, with the texts that it stands in; nothing where a person leads the conversation. */
function askedAgain(waiting: Waiting | undefined, { asked }: SessionChannel) {
  if (!waiting || waiting.waitingFor === 'person')
    return { messages: [], input: undefined, clientSideActions: undefined, settings: waiting?.settings }
  const { input, settings } = waiting
  // Behind the words, and not before them as what a turn begins with.
  const clientSideActions = waiting.clientSideActions?.map((action) => ({ ...action, lastBubbleBlockId: '' }))
  return { messages: input ? (asked?.texts ?? []) : [], input, clientSideActions, settings }
}

/**
 * Answers a message where no conversation goes on, and none is to begin: what is kept is one that has ended, which knows the
 * message. `memory` is what is to be remembered of the person with it.
 */
export async function noticeAlone(
  text: string | undefined,
  {
    visit,
    memory,
    deps,
  }: { readonly visit: Visit; readonly memory?: Remembered; readonly deps: InboxDependencies },
): Promise<void> {
  const { conversations, channelOutput, contacts, ports } = deps.chat
  const { contactId: id, key, channel: open } = visit
  const { contact: known, readAt } = await contacts.find(key)
  const createdAt = ports.now()
  const publicId = open.settings.flow
  const session: Session = {
    id: ports.createId('session'),
    kind: 'live',
    state: 'ended',
    createdAt,
    queue: [],
    answered: 0,
    publicId,
    channel: channelOf(visit),
  }
  const contact: ContactWrite = {
    key,
    readAt,
    profile: known?.profile ?? JSON.stringify({ id, ...profileOf(visit.message.user) }),
    ...(memory && { memory }),
    links: [{ flowId: publicId, resultId: '' }],
  }
  const shown = {
    messages: text === undefined ? [] : [messageOf(text)],
    input: undefined,
    clientSideActions: undefined,
    settings: unhurried,
  }
  const met = { ...session, contact: { id, isVerified: true, readAt } }
  const { outgoing } = channelOutput({ session: met, channel: channelOf(visit), revision: 1, ...shown })
  await conversations.start({ session, results: [], contact, outgoing })
}
