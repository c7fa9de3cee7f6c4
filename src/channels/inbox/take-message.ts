import { type ChannelBody, weekdays } from '../../../schemas/channels.ts'
import type { UserMessage } from '../../../schemas/user-message.ts'
import { continueChat } from '../../conversations/continue/continue-chat.ts'
import { startPublishedChat } from '../../conversations/start/start-published-chat.ts'
import { changeSession } from '../../conversations/take-over/act-on-session.ts'
import { contentHash } from '../../definition/content-hash.ts'
import { formatInZone } from '../../engine/values/zoned-time.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../ports/caller.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { InboundMessage } from '../messenger.ts'
import { channelWordsOf } from '../words.ts'
import { flowNamedBy, isKeyword, isOneOf, wordOf } from './channel-words.ts'
import { commitChannel } from './commit-channel.ts'
import { areBefore, gatherFile, takeFiles } from './gather-files.ts'
import { noticeAlone, noticeInSession } from './notice.ts'
import { hasOptedOut, noteRefusal } from './opt-out.ts'
import { profileOf } from './person.ts'
import { readReply, waitingOf, wordsIn } from './read-reply.ts'
import { channelOf, type InboxDependencies, openVisit, type TakeDependencies, type Visit } from './visit.ts'

const caller: Caller = { kind: 'channel' }

/** How often a session may move on by itself while a message is read for it. */
const mostAttempts = 10

/** So soon, nobody presses the same button anew on purpose. */
const doubleTapMs = 5000

/**
 * Answers a message that came in: with one turn, or with words of the service, and once, however often it is called. Rejects with what
 * stands in the way; a message that may be answered later can be given again.
 */
export async function takeMessage(
  message: InboundMessage,
  channel: OpenChannel,
  deps: TakeDependencies,
): Promise<void> {
  if (message.content.kind === 'ignored') return
  const visit = await openVisit(message, channel, deps)
  // A key counts for one session, which need not be the one that has taken it.
  if (!deps.isOurs()) throw new ServiceError('CONFLICT', 'Another process answers this message')
  const { last } = visit
  if (message.content.kind === 'renamed') return sendToNewName(visit, deps)
  if (last?.session.channel?.heard === message.id || isDoubleTap(visit)) return
  const open = last && last.session.state !== 'ended' ? last : undefined
  if (await isAnsweredByService(visit, open, deps)) return
  const word = wordOf(message)
  const flow = message.referral && flowNamedBy(message, channel.settings)
  const isFresh = flow !== undefined || isOneOf(word, 'startOverWords', channel.settings)
  if (open && isFresh) await close(open, deps)
  if (open && !isFresh) await goOn(open, visit, deps)
  else await begin(visit, deps)
}

/** Has a conversation that goes on reach its person where they are now. */
async function sendToNewName({ message, last }: Visit, deps: InboxDependencies): Promise<void> {
  if (!last || last.session.state === 'ended') return
  const { id: to } = message.user
  await commitChannel(last.session.id, deps, ({ channel }) =>
    channel.to === to ? undefined : { channel: { ...channel, to } },
  )
}

/** A second press of a button by somebody who meant it once. */
function isDoubleTap({ message: { content, sentAt = 0 }, last }: Visit): boolean {
  const { pressed } = last?.session.channel ?? {}
  return content.kind === 'press' && pressed?.id === content.id && Math.abs(sentAt - pressed.at) < doubleTapMs
}

/** Answers what is for no flow. */
async function isAnsweredByService(
  visit: Visit,
  open: StoredConversation | undefined,
  deps: InboxDependencies,
): Promise<boolean> {
  const { channel, message, key } = visit
  const { settings } = channel
  const word = wordOf(message)
  // A conversation ends when its person wants no more: while one goes on, nobody has refused.
  const hasRefused = !open && (await hasOptedOut(key, deps.chat.contacts))
  if (hasRefused) {
    if (isOneOf(word, 'optInWords', settings)) await noteRefusal(false, { visit, deps })
    return true
  }
  if (isOneOf(word, 'optOutWords', settings)) {
    if (open) await close(open, deps)
    await noteRefusal(true, { visit, deps })
    return true
  }
  // A person who leads the conversation is there, whatever the hours.
  if (!settings.hours || open?.session.pause || isOpenAt(deps.chat.ports.now(), settings)) return false
  const { text } = settings.hours
  if (open) await noticeInSession(open.session.id, { text }, { visit, deps })
  else await noticeAlone(text, { visit, deps })
  return true
}

async function close({ session: { id: sessionId } }: StoredConversation, deps: InboxDependencies) {
  try {
    await changeSession({ sessionId, caller, body: { status: 'closed' } }, deps.chat)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'NOT_FOUND')) throw error
  }
}

async function begin(visit: Visit, deps: InboxDependencies): Promise<void> {
  const { message, channel, contactId: id } = visit
  const { content, user } = message
  const contact = { id, ...profileOf(user) }
  const words = wordsIn(content)
  const isAnswer = words !== undefined && !isKeyword(message, channel.settings)
  const request = {
    publicId: flowNamedBy(message, channel.settings) ?? channel.settings.flow,
    origin: undefined,
    caller,
    body: { contact, ...(isAnswer && { message: words }) },
    idempotency: repetitionOf(visit),
    channel: channelOf(visit),
  }
  try {
    await startPublishedChat(request, deps.chat)
  } catch (error) {
    // A flow that is closed says so in its own words.
    if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST' || error.problems) throw error
    await noticeAlone(error.message, { visit, deps })
  }
}

async function goOn(open: StoredConversation, visit: Visit, deps: InboxDependencies): Promise<void> {
  const { id: sessionId } = open.session
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    try {
      const session = await behindFiles(open, visit, deps)
      if (session.state === 'ended') return await begin(visit, deps)
      const reading = await readReply(session, visit, deps)
      if ('reply' in reading) return await reply(sessionId, reading, { visit, deps })
      if ('file' in reading) return await gatherFile(sessionId, reading.file, { visit, deps })
      return await noticeInSession(sessionId, reading.notice, { visit, deps })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // It has ended meanwhile, by its time or by a person.
      if (error.code === 'NOT_FOUND') return begin(visit, deps)
      if (error.code === 'BAD_REQUEST') return takeOtherwise(open, visit, deps)
      if (error.code !== 'PRECONDITION_FAILED') throw error
    }
  }
  throw new ServiceError('CONFLICT', 'The conversation changes faster than it can be read', { retryAfter: 1 })
}

/** The session once what was gathered before a message has answered. */
async function behindFiles(
  { session }: StoredConversation,
  { message }: Visit,
  deps: InboxDependencies,
): Promise<StoredConversation['session']> {
  if (!session.channel || !areBefore(message, session.channel)) return session
  await takeFiles(session.id, deps)
  return (await deps.chat.conversations.look(session.id))?.session ?? { ...session, state: 'ended' }
}

async function reply(
  sessionId: string,
  { reply: message, version }: { readonly reply: UserMessage | null; readonly version?: string | undefined },
  { visit, deps }: { readonly visit: Visit; readonly deps: InboxDependencies },
): Promise<void> {
  const { to, heard, pressed } = channelOf(visit)
  const request = {
    sessionId,
    origin: undefined,
    caller,
    body: { message },
    ifVersion: version === undefined ? undefined : [version],
    idempotency: repetitionOf(visit),
    channel: { to, heard, pressed },
  }
  await continueChat(request, deps.chat)
}

/** A command that the flow does not know is words; whoever says what can't be an answer, as while the flow waits for its page, is told. */
async function takeOtherwise(open: StoredConversation, visit: Visit, deps: InboxDependencies): Promise<void> {
  const { id: sessionId } = open.session
  const { content } = visit.message
  if (content.kind === 'command') {
    const message = { ...visit.message, content: { kind: 'text', text: content.text } } as const
    return goOn(open, { ...visit, message }, deps)
  }
  const waiting = await waitingOf(sessionId, deps)
  const { notTaken: text } = channelWordsOf(waiting.settings)
  await noticeInSession(sessionId, { text, waiting }, { visit, deps })
}

/** A message is one request, whoever brings it, and however often. */
const repetitionOf = ({ channel, message }: Visit) => ({
  key: contentHash(JSON.stringify(['channel', channel.name, message.id])),
  fingerprint: '',
  replayed: () => undefined,
})

/** Whether a channel takes messages at a time, in milliseconds since 1970. */
function isOpenAt(now: number, { hours }: Pick<ChannelBody, 'hours'>): boolean {
  if (!hours) return true
  const local = formatInZone(now, hours.timeZone) ?? ''
  const weekday = weekdays[new Date(`${local.slice(0, 10)}T00:00Z`).getUTCDay()]
  const time = local.slice(11, 16)
  return hours.open.some(
    ({ days, from, to }) => weekday !== undefined && days.includes(weekday) && from <= time && time < to,
  )
}
