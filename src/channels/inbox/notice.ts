import type { Message } from '../../../schemas/message.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { enterSession } from '../../conversations/session/enter-session.ts'
import type { ContactWrite } from '../../stores/contact-store.ts'
import type { Session } from '../../stores/session.ts'
import { profileOf } from './person.ts'
import type { Notice } from './reading.ts'
import { channelOf, type InboxDependencies, type Visit } from './visit.ts'

const unhurried: Settings = { typingEmulation: { enabled: false } }

/** Answers a message with words in the conversation that goes on, of which no turn is taken. */
export async function noticeInSession(
  sessionId: string,
  { text, waiting }: Notice,
  { visit, deps }: { readonly visit: Visit; readonly deps: InboxDependencies },
): Promise<void> {
  const { conversations, channelOutput } = deps.chat
  const { lease, conversation } = await enterSession(sessionId, deps.chat)
  try {
    const { session, revision } = conversation
    if (!session.channel || session.channel.heard === visit.message.id) return
    const channel = { ...session.channel, heard: visit.message.id }
    const { input, clientSideActions, settings = unhurried } = waiting ?? {}
    const shown = { messages: [messageOf(text)], input, clientSideActions, settings }
    const written = channelOutput({ session, channel, revision: revision + 1, ...shown })
    const kept = { ...session, channel: written.channel }
    await conversations.commit(lease, {
      session: kept,
      results: [],
      payloads: 'keep',
      outgoing: written.outgoing,
    })
  } finally {
    await conversations.release(lease)
  }
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
  }: { readonly visit: Visit; readonly memory?: object; readonly deps: InboxDependencies },
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
    ...(memory && { memory: JSON.stringify(memory) }),
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

function messageOf(text: string): Message {
  const richText = text.split('\n').map((line) => ({ type: 'p', children: [{ text: line }] }))
  return { id: 'notice', type: 'text', content: { type: 'richText', richText } }
}
