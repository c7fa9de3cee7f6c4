import { type Conversation, currentFrameOf, type Frame } from '../../engine/model/conversation.ts'
import type { Pause } from '../../engine/model/step.ts'
import type { Session, Timer } from '../../sessions/session.ts'

interface TimerTerms {
  /** By the clock of the conversation. */
  readonly now: number
  /** Those that the session had. */
  readonly before?: readonly Timer[] | undefined
  /** The one that took the turn; undefined where the visitor did. */
  readonly fired?: Timer | undefined
  readonly isMarkdown: boolean
  /** How long sessions live without being used. */
  readonly sessionTtlMs: number
}

/** The timers of a session after a turn (docs/behaviour/timers.md); undefined for none, as most have. */
export function timersAfter(conversation: Conversation, terms: TimerTerms): readonly Timer[] | undefined {
  const { waitingBlock, sleep, gathered, hasEnded, pause } = conversation
  const { now, fired } = terms
  if (!waitingBlock || hasEnded) return undefined
  const isTimed = (frame: Frame) => frame.program.timers !== undefined
  if (!pause && !sleep && !terms.before && !conversation.frames.some(isTimed)) return undefined
  const set: Timer[] = pause
    ? endOf(pause)
    : [
        ...(gathered ? [replyTimer(conversation, terms)] : idleTimers(conversation, terms)),
        ...(sleep ? [{ type: 'wait' as const, due: sleep.until, replies: sleep.replies }] : []),
        ...expiry(conversation, terms),
      ]
  if (set.length === 0) return undefined
  const timers = fired && fired.type !== 'reply' ? paced(set, turnsAlone(fired, terms.before), now) : set
  return terms.isMarkdown ? timers.map((timer) => ({ ...timer, isMarkdown: true as const })) : timers
}

/** Turns that a session takes by itself as soon as its flow likes, until its visitor does something. */
const mostUnpaced = 20

/** The least between two turns that it takes after those. */
const restMs = 60_000

/** How many turns a session has taken by itself since its visitor did something. */
function turnsAlone({ type }: Timer, before: readonly Timer[] = []): number {
  return before.reduce((sum, { fired = 0 }) => sum + fired, type === 'expire' ? 0 : 1)
}

/**
 * Waits, pauses and questions that lead to each other cost nobody anything to draw, and would go round without an end. Turns that no
 * event counts are counted by an entry of none, which is due at no time: the build before carries it along.
 */
function paced(set: readonly Timer[], alone: number, now: number): Timer[] {
  const timers = set
    .filter(({ type, eventId }) => type !== 'idle' || eventId !== undefined)
    .map((timer) =>
      alone >= mostUnpaced && timer.type !== 'expire' ? restedUntil(timer, now + restMs) : timer,
    )
  const rest = timers.reduce((left, { fired = 0 }) => left - fired, alone)
  const goesOn = timers.some(({ due, type }) => due !== undefined && type !== 'expire')
  if (goesOn && rest > 0) timers.push({ type: 'idle', fired: rest })
  return timers
}

const restedUntil = (timer: Timer, least: number): Timer =>
  timer.due === undefined ? timer : { ...timer, due: Math.max(timer.due, least) }

/** Nothing else happens while a person leads the conversation. */
function endOf({ until }: Pause): Timer[] {
  return until === undefined ? [] : [{ type: 'pause', due: until }]
}

/** The end of the window of replies, which the first of them has opened: its question is not unanswered. */
function replyTimer(conversation: Conversation, { now, before }: TimerTerms): Timer {
  const { replyWindowMs = 0 } = conversation.frames[0].program.timers ?? {}
  const due = before?.find(({ type }) => type === 'reply')?.due ?? now + replyWindowMs
  return { type: 'reply', due, replies: conversation.gathered }
}

/** Events of the question that waits. Those that have fired since the visitor did something stay counted. */
function idleTimers(conversation: Conversation, { now, before = [], fired }: TimerTerms): Timer[] {
  const { waitingBlock } = conversation
  const idle = currentFrameOf(conversation).program.timers?.idle
  const events = waitingBlock?.handler?.kind === 'input' && idle ? idle : []
  const counted = fired ? before.filter(({ type }) => type === 'idle') : []
  const isFired = ({ type, eventId }: Timer) => fired?.type === type && fired.eventId === eventId
  const timesOf = (timer: Timer) => (timer.fired ?? 0) + (isFired(timer) ? 1 : 0)
  const set: Timer[] = []
  for (const { id: eventId, afterMs, atMost, groupIds } of events) {
    if (groupIds && !groupIds.has(waitingBlock?.group.id ?? '')) continue
    const timer = counted.find((each) => each.eventId === eventId)
    const times = timer ? timesOf(timer) : 0
    if (times >= atMost) continue
    const due = timer && !isFired(timer) ? (timer.due ?? now + afterMs) : now + afterMs
    set.push({ type: 'idle', eventId, due, fired: times || undefined })
  }
  for (const timer of counted) {
    const { eventId } = timer
    const times = timesOf(timer)
    if (times > 0 && !set.some((each) => each.eventId === eventId))
      set.push({ type: 'idle', eventId, fired: times })
  }
  return set
}

/** The end of the idle life, which a reminder does not put off. */
function expiry(conversation: Conversation, { now, before, fired, sessionTtlMs }: TimerTerms): Timer[] {
  const { timers } = conversation.frames[0].program
  if (timers?.expireEventId === undefined && timers?.ttlMs === undefined) return []
  const ttlMs = Math.min(timers.ttlMs ?? sessionTtlMs, sessionTtlMs)
  const present = fired?.type === 'idle' ? before?.find(({ type }) => type === 'expire')?.due : undefined
  const due = present ?? Math.max(now, conversation.sleep?.until ?? now) + ttlMs
  return [{ type: 'expire', due, eventId: timers.expireEventId }]
}

/** Tells clients what comes without a request: whole seconds until a session may say something, and the end of its window. */
export interface AnnouncedTimers {
  readonly actsAfterSeconds: number
  readonly joinsUntil?: string | undefined
}

/** People write when they like. */
const secondsToPerson = 5

/** Undefined for a session that will say nothing that nobody asked for. */
export function announceTimers(
  { timers, pause }: Pick<Session, 'timers' | 'pause'>,
  now: number,
): AnnouncedTimers | undefined {
  if (pause) return { actsAfterSeconds: secondsToPerson }
  if (!timers) return undefined
  const timer = firstTimer(timers.filter(({ type, eventId }) => type !== 'expire' || eventId !== undefined))
  if (timer?.due === undefined) return undefined
  const actsAfterSeconds = Math.max(0, Math.ceil((timer.due - now) / 1000))
  const window = timers.find(({ type }) => type === 'reply')
  return {
    actsAfterSeconds,
    joinsUntil: window?.due === undefined ? undefined : new Date(window.due).toISOString(),
  }
}

/** The timer that is due first; undefined where none is set. */
export function firstTimer(timers: readonly Timer[] = []): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) if (Number(timer.due) < (first?.due ?? Infinity)) first = timer
  return first
}
