import { continueChat } from '../../conversations/continue/continue-chat.ts'
import { sessionVersion } from '../../conversations/session/serialize-conversation.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { ClaimedEvent, SendOutcome } from '../../stores/outgoing/outbox-store.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { InboundMessage } from '../messenger.ts'
import { MessengerAwayError } from '../wire/download.ts'
import { takeFiles } from './gather-files.ts'
import type { Resumption } from './inbox-row.ts'
import { takeMessage } from './take-message.ts'
import type { InboxDependencies, TakeDependencies } from './visit.ts'

/** How long a turn takes before somebody is shown that an answer is being made. */
const typingAfterMs = 700

/** Attempts at a message whose turn fails for no reason that passes, and at one whose file its messenger can't give: half an hour. */
const mostAttempts = 6
const mostAttemptsAway = 35

const secondMs = 1000
const longestPauseMs = 60 * secondMs

/** Failures that pass: a message waits for as long as there are. */
const passing: ReadonlySet<string> = new Set(['CONFLICT', 'TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE'])

/** Answers what came in. Never rejects. */
export async function answerEvent(
  event: ClaimedEvent,
  channel: OpenChannel,
  deps: TakeDependencies,
): Promise<SendOutcome> {
  try {
    if (event.type === 'resume') await resume(JSON.parse(event.body) as Resumption, deps)
    else await answer(messageOf(event), channel, deps)
    return { state: 'delivered' }
  } catch (error) {
    return outcomeOf(error as Error, event, { channel, log: deps.chat.log })
  }
}

/** Outcome of a message whose turn has failed. */
function outcomeOf(
  error: Error,
  { attempts }: ClaimedEvent,
  { channel, log }: { readonly channel: OpenChannel; readonly log: TakeDependencies['chat']['log'] },
): SendOutcome {
  const noted = { err: error, channel: channel.name }
  const waiting = () => {
    const pauseMs = Math.min(secondMs * 2 ** (attempts - 1), longestPauseMs)
    return { state: 'waiting', pauseMs, error: error.message } as const
  }
  if (error instanceof MessengerAwayError) {
    log.warn(noted, 'the file of a message could not be fetched yet')
    return attempts < mostAttemptsAway ? waiting() : { state: 'set aside', error: error.message }
  }
  if (!(error instanceof ServiceError)) {
    log.error(noted, 'a message could not be answered')
    return attempts < mostAttempts ? waiting() : { state: 'set aside', error: 'Its turn fails: see the log' }
  }
  if (passing.has(error.code)) return waiting()
  log.warn(noted, 'a message is set aside unanswered')
  return { state: 'set aside', error: error.message }
}

/** A press says nothing of its moment, at Telegram: it is the one at which it came in. */
const messageOf = ({ body, createdAt }: ClaimedEvent): InboundMessage => ({
  sentAt: createdAt,
  ...(JSON.parse(body) as InboundMessage),
})

async function answer(message: InboundMessage, channel: OpenChannel, deps: TakeDependencies): Promise<void> {
  const { messenger } = channel.account
  const typing = setTimeout(() => messenger.showTyping(message, deps.calls), typingAfterMs)
  // A button shows that it is at work until then, whatever becomes of the press.
  const acknowledged = message.acknowledge && messenger.acknowledge?.(message.acknowledge, deps.calls)
  try {
    await takeMessage(message, channel, deps)
  } finally {
    clearTimeout(typing)
    await acknowledged
  }
}

/** Goes on with a session without a word, as a page does when what it was to do is over, or with the files that it has gathered. */
async function resume(resumption: Resumption, deps: InboxDependencies): Promise<void> {
  const { sessionId } = resumption
  const isForFiles = 'isForFiles' in resumption
  try {
    if (isForFiles) return await takeFiles(sessionId, deps)
    const stored = await deps.chat.conversations.look(sessionId)
    if (stored?.revision !== resumption.revision || stored.session.state === 'ended') return
    const ifVersion = [sessionVersion(stored)]
    const request = {
      sessionId,
      origin: undefined,
      caller: { kind: 'channel' },
      body: {},
      ifVersion,
    } as const
    await continueChat(request, deps.chat)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const hasMoved = error.code === 'PRECONDITION_FAILED'
    // Files wait for a moment in which nobody else moves the session.
    if (hasMoved && isForFiles) throw new ServiceError('CONFLICT', error.message)
    if (!hasMoved && error.code !== 'NOT_FOUND') throw error
  }
}
