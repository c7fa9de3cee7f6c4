import type { IsOurs } from '../../delivery/queue-pump.ts'
import type { ContactStore } from '../../stores/contact-store.ts'
import {
  type ClaimedEvent,
  type InboxStore,
  nameOfEvent,
  type SendOutcome,
} from '../../stores/outgoing/outbox-store.ts'
import type { OpenChannel } from '../channel-directory.ts'
import { rowOfResumption } from '../inbox/inbox-row.ts'
import { hasOptedOut } from '../inbox/opt-out.ts'
import type { CallDependencies, Messenger, SendProblem } from '../messenger.ts'
import type { Pace } from './pace.ts'
import type { OutgoingBody } from './write-turn.ts'

interface SendDependencies {
  readonly calls: CallDependencies
  readonly contacts: Pick<ContactStore, 'find'>
  readonly inbox: Pick<InboxStore, 'put'>
  /** Of one channel. */
  readonly pace: { readonly person: Pace; readonly account: Pace }
  /** Whether no other process may have sent the event, and those behind it. */
  readonly isOurs: IsOurs
  /** Milliseconds since 1970. */
  now(): number
  /** Evenly from [0, 1). */
  random(): number
}

/** Outcome of a try, and the reason why its account can't send at all. */
interface Sent {
  readonly outcome: SendOutcome
  readonly accountProblem?: string
}

const secondMs = 1000
const hourMs = 3600 * secondMs

/** Older messages were overtaken by what their receivers have done since. */
const longestWaitMs = 24 * hourMs
const longestPauseMs = 10 * 60 * secondMs

/** Statuses come within it: what may have been sent all the same is known by then where the messenger tells how messages fare. */
const doubtMs = 15 * secondMs

/** A message that has waited for so long may be for somebody who has refused them since. */
const lateMs = 5 * secondMs

/** Sends something once. Never rejects. */
export async function sendEvent(
  event: ClaimedEvent,
  channel: OpenChannel,
  deps: SendDependencies,
): Promise<Sent> {
  const body = JSON.parse(event.body) as OutgoingBody
  try {
    if (body.resume) return { outcome: await resume(event, body.resume, { channel, deps }) }
    if (!body.request) return { outcome: await pause(body, channel, deps) }
    const isLate = deps.now() - event.createdAt > lateMs
    if (isLate && (await hasOptedOut(event.line, deps.contacts)))
      return { outcome: { state: 'set aside', error: 'The person wants no more messages' } }
    return await send(event, { ...body, request: body.request }, { channel, deps })
  } catch (error) {
    return { outcome: { state: 'waiting', pauseMs: secondMs, error: (error as Error).message } }
  }
}

interface Sending {
  readonly channel: OpenChannel
  readonly deps: SendDependencies
}

async function send(
  event: ClaimedEvent,
  { to, request, restMs = 0, heard }: OutgoingBody & Required<Pick<OutgoingBody, 'request'>>,
  { channel, deps }: Sending,
): Promise<Sent> {
  const { pace, calls, isOurs } = deps
  const isRepeated = event.attempts > 1
  // What failed by its status has waited here unseen.
  if (isRepeated && deps.now() - event.createdAt >= longestWaitMs)
    return { outcome: { state: 'set aside', error: 'It could not be sent for a day' } }
  const { messenger } = channel.account
  const waitMs = Math.max(pace.person.waitMs(to), pace.account.waitMs(''))
  if (waitMs > 0) return { outcome: { state: 'waiting', pauseMs: waitMs } }
  if (!isOurs()) return { outcome: { state: 'waiting', pauseMs: 0 } }
  pace.person.count(to)
  pace.account.count('')
  const result = await messenger.send({ to, request, reference: nameOfEvent(event) }, { ...calls, isOurs })
  if (result.state === 'failed') return failed(event, result.problem, { ...deps, messenger })
  if (restMs > 0 && heard !== undefined) await messenger.showTyping({ id: heard, user: { id: to } }, calls)
  const { reference, overtakableMs = 0 } = result
  const isTracked = messenger.tellsStatuses
  return { outcome: { state: 'delivered', reference, isTracked, restMs: Math.max(restMs, overtakableMs) } }
}

function failed(
  event: ClaimedEvent,
  problem: SendProblem,
  { now, random, messenger }: SendDependencies & { readonly messenger: Pick<Messenger, 'tellsStatuses'> },
): Sent {
  const { kind, message: error, retryAfterMs, isDoubtful } = problem
  const growing = Math.min(secondMs * 2 ** Math.min(event.attempts, 20), longestPauseMs)
  const leastMs = isDoubtful && messenger.tellsStatuses ? doubtMs : 0
  const pauseMs = Math.round(Math.max(retryAfterMs ?? growing, leastMs) * (1 + 0.1 * random()))
  const waits = kind === 'wait' && now() - event.createdAt < longestWaitMs
  if (kind === 'account') return { outcome: { state: 'waiting', pauseMs, error }, accountProblem: error }
  if (waits) return { outcome: { state: 'waiting', pauseMs, error } }
  return { outcome: { state: 'set aside', error: adviceOf(problem) } }
}

/** A problem for the operator, with what can be done about it. */
export const adviceOf = ({ kind, message }: SendProblem): string =>
  kind === 'window' ? `${message}: only a template can be sent now` : message

/** A pause that stands before everything else. */
async function pause(
  { to, restMs = 0, heard }: OutgoingBody,
  { account: { messenger } }: OpenChannel,
  { calls }: SendDependencies,
): Promise<SendOutcome> {
  if (heard !== undefined) await messenger.showTyping({ id: heard, user: { id: to } }, calls)
  return { state: 'delivered', restMs }
}

async function resume(
  { line, eventId }: ClaimedEvent,
  resumption: NonNullable<OutgoingBody['resume']>,
  { channel, deps }: Sending,
): Promise<SendOutcome> {
  await deps.inbox.put([rowOfResumption(resumption, { channel: channel.name, line, eventId })])
  return { state: 'delivered' }
}
