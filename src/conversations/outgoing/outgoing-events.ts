import type { EventType } from '../../../schemas/outgoing-webhooks.ts'
import type { Pause, UserInput } from '../../engine/model/step.ts'
import type { Mask } from '../../engine/values/sensitive-values.ts'
import { type ByteString, fitsBytes, fromByteString } from '../../lib/byte-string.ts'
import type { Session } from '../../sessions/session.ts'
import type { FirstCommit } from '../../stores/conversation-store.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'
import type { Result, ResultUpdate } from '../../stores/result-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { pausedFor, pausedForOperator } from '../response/chat-response.ts'

/** Something that has happened to a conversation. */
interface Happening {
  readonly type: EventType
  /** For everybody who is told of it. */
  readonly data?: object | undefined
  /** For those who want to know what was said: more members of the data, as JSON. */
  content?(): string
}

type Dependencies = Pick<ChatDependencies, 'subscribers' | 'ports'>

/** Bytes of an event with its content; a larger one goes without. */
const mostContent = 256 * 1024

/**
 * Events about a live session, for the `outgoing` of a commit; undefined where nobody wants them. A use case that does something else
 * with sessions adds its events by this.
 */
export function announce(
  session: Session,
  happened: readonly Happening[],
  { subscribers, ports }: Dependencies,
  maskOf?: () => Mask | undefined,
): readonly OutgoingEvent[] | undefined {
  const { publicId } = session
  if (subscribers.isEmpty || session.kind !== 'live' || publicId === undefined) return undefined
  const timestamp = isoTime(ports.now())
  const { flowId, resultId } = resultOf(session)
  const outgoing: OutgoingEvent[] = []
  for (const { type, data, content } of happened) {
    const wanting = subscribers.wanting(type, publicId)
    if (wanting.length === 0) continue
    const eventId = ports.createId('event')
    const told = { sessionId: session.id, flow: publicId, flowId, resultId, ...data }
    const short = `{"type":"${type}","timestamp":"${timestamp}","data":${JSON.stringify(told)}}`
    const isTold = content && wanting.some(({ includesContent }) => includesContent)
    const whole = isTold ? withContent(short, masked(content(), maskOf)) : short
    for (const { destination, includesContent } of wanting) {
      const body = includesContent ? whole : short
      outgoing.push({ destination, line: session.id, eventId, type, body })
    }
  }
  return outgoing.length > 0 ? outgoing : undefined
}

/** Members without what marked variables hold. */
function masked(content: string, maskOf: (() => Mask | undefined) | undefined): string {
  const mask = maskOf?.()
  return mask && content !== '' ? mask.json(`{${content}}`).slice(1, -1) : content
}

/** Adds members to the data of an event. What is JSON already is not read for it. */
function withContent(short: string, content: string): string {
  if (content === '') return short
  const whole = withMembers(short, content)
  return fitsBytes(whole, mostContent) ? whole : withMembers(short, '"isCut":true')
}

const withMembers = (short: string, members: string) => `${short.slice(0, -'}}'.length)},${members}}}`

/** The members of an object, as JSON. */
const membersOf = (value: object) => JSON.stringify(value).slice(1, -1)

/** The result of the flow that was started. */
function resultOf({ queue, result }: Session) {
  const root = queue.at(-1)
  return { flowId: result?.flowId ?? root?.flowId, resultId: result?.id ?? root?.resultId }
}

interface TurnFacts {
  readonly entry: 'start' | 'continue' | 'timer' | 'operator'
  /** Whether nothing has run before. */
  readonly isFirst: boolean
  /** Whether its idle life is over by it. */
  readonly isExpiry?: boolean
  /** Whether nothing more was asked of the visitor before the turn. */
  readonly wasOver?: boolean
  readonly pausedBefore?: Pause | undefined
  readonly reply?: UserInput | undefined
  /** The messages and the input that wait, as JSON. */
  shown(): ByteString
  /** Of what marked variables hold. */
  mask?(): Mask | undefined
  /** Lines said before the turn, for who takes over: `transcriptToHandOver`. */
  readonly transcript?: Result['transcript'] | undefined
}

/** Reads what was said before a turn that pauses a session; undefined for any other, as nobody asks. */
export async function transcriptToHandOver(
  session: Session,
  pausedBefore: Pause | undefined,
  results: ChatDependencies['results'],
): Promise<Result['transcript'] | undefined> {
  const { flowId, resultId } = resultOf(session)
  const isAsked = session.pause && isNew(session.pause, pausedBefore)
  if (!isAsked || flowId === undefined || resultId === undefined) return undefined
  return (await results.get(flowId, resultId))?.transcript
}

/** Whether it says something else than the one before. */
const isNew = (pause: Pause, before: Pause | undefined) =>
  !before || JSON.stringify(pausedForOperator(before)) !== JSON.stringify(pausedForOperator(pause))

/** Events of a turn and of the results that it saves. To be called where there are subscribers. */
export function eventsOfTurn(
  { session, results }: Pick<FirstCommit, 'session' | 'results'>,
  facts: TurnFacts,
  deps: Dependencies,
): readonly OutgoingEvent[] | undefined {
  const { entry, isFirst, isExpiry, wasOver, pausedBefore, reply, shown, mask } = facts
  if (session.kind !== 'live') return undefined
  const happened: Happening[] = isFirst ? [{ type: 'conversation.started' }] : []
  happened.push({ type: 'turn.completed', data: { entry }, content: () => saidAndShown(reply, shown()) })
  happened.push(...resultEvents(results, wasOver))
  if (session.pause || pausedBefore) happened.push(...pauseEvents({ session, results }, facts))
  if (session.state === 'ended')
    happened.push({ type: isExpiry ? 'conversation.expired' : 'conversation.ended' })
  return announce(session, happened, deps, mask)
}

/** Events of a pause, with what was said so far for who takes over. */
function pauseEvents(
  { session, results }: Pick<FirstCommit, 'session' | 'results'>,
  { pausedBefore: before, transcript = [] }: TurnFacts,
): readonly Happening[] {
  const { pause } = session
  if (!pause) return before && session.state !== 'ended' ? [{ type: 'conversation.opened' }] : []
  if (!isNew(pause, before)) return []
  const paused = pausedForOperator(pause)
  const { resultId } = resultOf(session)
  const now = results.find(({ id }) => id === resultId)?.transcript ?? []
  return [
    {
      type: 'conversation.paused',
      // The reason of a flow may quote the visitor.
      data: { paused: pausedFor(pause) },
      content: () => membersOf({ paused, transcript: [...transcript, ...now] }),
    },
  ]
}

/** Events of the results that a commit saves; the completed ones are told unless they were before. */
export function resultEvents(results: readonly ResultUpdate[], wasOver = true): readonly Happening[] {
  const happened: Happening[] = []
  for (const { id, flowId, isCompleted = false, answers, variables } of results) {
    const data = { resultId: id, flowId, isCompleted }
    const content = () =>
      membersOf({ answers, variables: variables?.map(({ name, value }) => ({ name, value })) })
    happened.push({ type: 'result.changed', data, content })
    if (isCompleted && !wasOver) happened.push({ type: 'result.completed', data, content })
  }
  return happened
}

/** Members with a text that was said, before those of what it was answered with. */
function saidAndShown(reply: UserInput | undefined, shown: ByteString): string {
  const members = fromByteString(shown).slice(1, -1)
  return reply?.type === 'text' ? `"reply":${JSON.stringify(reply.text)},${members}` : members
}

let last = { ms: 0, text: new Date(0).toISOString() }

/** A time as ISO 8601, written once for all that happens within its millisecond. */
function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
