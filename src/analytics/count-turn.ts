import type { Conversation } from '../engine/model/conversation.ts'
import type { CompiledBlock } from '../engine/model/program.ts'
import type { Turn } from '../engine/turn/turn.ts'
import type { TurnTally } from '../engine/turn/turn-tally.ts'
import type { CountedSession, Session } from '../sessions/session.ts'
import type { CountedTurn } from '../stores/conversation-store.ts'
import { Path } from '../stores/counts/path-bits.ts'
import {
  type CountKind,
  type EarlierFact,
  hourMs,
  storable,
  type TurnFacts,
} from '../stores/counts/turn-facts.ts'
import type { ResultVisit } from '../stores/result-store.ts'
import { firstCohort, joinShares, noCohort } from './cohort.ts'
import { type Milestone, placesOf } from './path-places.ts'
import { bucketOf } from './time-buckets.ts'

/** A turn as it is counted, and how far its conversation is then. */
export interface CountOfTurn {
  readonly counted: CountedTurn
  /** Undefined where the conversation was under way before it was counted. */
  readonly state: CountedSession | undefined
  /** The same for its result. */
  readonly visit: ResultVisit | undefined
}

interface TurnTimes {
  /** The session as the turn met it; undefined for a start. */
  readonly before: Session | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly now: number
  /** Whether its idle life has ended by it. */
  readonly isExpiry?: boolean | undefined
}

/** Counts a turn; undefined where counts of its flow are not kept. */
export function countTurn(turn: Turn, times: TurnTimes): CountOfTurn | undefined {
  const { conversation, tally } = turn
  if (!tally) return undefined
  const { program } = conversation.frames[0]
  const count = new TurnCount(turn, tally, times)
  count.addErrors()
  count.addWait()
  const state = count.addPath()
  const facts: TurnFacts = {
    flowId: storable(program.id),
    version: program.hash,
    hour: hourOf(times.now),
    happened: count.happened,
    before: count.earlier.length > 0 ? count.earlier : undefined,
  }
  return {
    counted: { facts, places: () => placesOf(program).names.map(storable) },
    state,
    visit: state && visitOf(state, { version: program.hash, place: count.place }),
  }
}

/** How far a conversation has come, for its result. */
export function visitOf(
  [askedAt, path, cohort = []]: CountedSession,
  { version, place }: Pick<ResultVisit, 'version' | 'place'>,
): ResultVisit {
  return { version, place, path, cohort: cohort.length > 0 ? JSON.stringify(cohort) : '', askedAt }
}

/** The count of a first turn as that of another conversation that begins in the same way. */
export function countedAt({ counted, state, visit }: CountOfTurn, now: number): CountOfTurn {
  const hour = hourOf(now)
  const { facts } = counted
  const before = facts.before?.map(([, ...fact]): EarlierFact => [hour, ...fact])
  return {
    counted: { ...counted, facts: { ...facts, hour, before } },
    state: state && atTime(state, now),
    visit: visit && { ...visit, askedAt: visit.askedAt > 0 ? now : 0 },
  }
}

function atTime([askedAt, path, cohort]: CountedSession, now: number): CountedSession {
  const place = [askedAt > 0 ? now : 0, path] as const
  return cohort ? [...place, cohort] : place
}

export const hourOf = (time: number) => Math.floor(time / hourMs)

/** The name of the block where a conversation waits. */
function waitingName(turn: Turn): string | undefined {
  const { waitingBlock, hasEnded } = turn.conversation
  return waitingBlock && !hasEnded ? turn.countedName(waitingBlock.id) : undefined
}

class TurnCount {
  readonly happened: string[]
  readonly earlier: EarlierFact[] = []
  readonly #turn: Turn
  readonly #times: TurnTimes
  readonly #tally: TurnTally
  readonly #isFirst: boolean
  readonly #before: CountedSession | undefined
  /** Where the conversation waits, or has ended. */
  place = ''
  #askedAt = 0

  constructor(turn: Turn, tally: TurnTally, times: TurnTimes) {
    this.#turn = turn
    this.#times = times
    this.#tally = tally
    this.happened = tally.happened
    this.#isFirst = times.before === undefined || times.before.state === 'registered'
    this.#before = this.#isFirst ? [0, ''] : times.before?.counted
  }

  addErrors(): void {
    for (const { status, place } of this.#turn.output.logs)
      if (status === 'error' && place?.blockId !== undefined)
        this.#add('error', this.#tally.nameOf(place.flowId, place.blockId))
  }

  /** Where the conversation waits, and no longer waits. */
  addWait(): void {
    const { before, now, isExpiry } = this.#times
    const [askedAt = 0] = this.#before ?? []
    const name = before && this.#nameBefore(before)
    const after = waitingName(this.#turn)
    const verdict = name === undefined ? undefined : this.#tally.outcomeAt(name)
    const isLeft = name !== undefined && (after !== name || (verdict !== undefined && verdict !== 'refused'))
    if (isLeft && askedAt > 0) this.earlier.push([hourOf(askedAt), 'moved on', storable(name), 1])
    if (isLeft && askedAt > 0 && verdict === 'accepted')
      this.#add('time', `${storable(name)}\n${bucketOf(now - askedAt)}`)
    const isAsked = after !== undefined && (isLeft || name === undefined)
    if (isAsked) this.#add('asked', after)
    if (isAsked) this.#askedAt = now
    else if (after !== undefined) this.#askedAt = askedAt
    this.place = storable(after ?? this.#lastBlock(name))
    if (after === undefined) this.#add(isExpiry ? 'expired' : 'ended', this.place)
    const isHanded = this.#turn.conversation.pause?.isByFlow && !before?.pause
    if (isHanded && after !== undefined) this.#add('handed over', after)
  }

  /** The path with what the turn has added to it, in the hour in which the conversation began. */
  addPath(): CountedSession | undefined {
    if (!this.#before) return undefined
    const { conversation } = this.#turn
    const { createdAt, now } = this.#times
    const { indexes } = placesOf(conversation.frames[0].program)
    const [, written, cohortBefore] = this.#before
    const path = new Path(written)
    const reach = (name: string): boolean => {
      const index = indexes.get(name)
      if (index === undefined || path.has(index)) return false
      path.add(index)
      return true
    }
    const pass = (milestone: Milestone) => reach(milestone)
    this.#walked('shown', reach)
    if (conversation.acceptedReplies > 0) pass('\nstart')
    this.#walked('handed over', () => pass('\nhanded over'))
    if (isCompleted(conversation) && pass('\ncompletion'))
      this.#add('duration', String(bucketOf(now - createdAt)))
    const cohort = joinShares(
      this.#isFirst ? firstCohort(this.#turn) : (cohortBefore ?? noCohort),
      this.#tally,
    )
    const place = [this.#askedAt, path.toString()] as const
    const state: CountedSession = cohort.length > 0 ? [...place, cohort] : place
    if (!this.#isFirst && place[1] === written && (cohort === cohortBefore || cohort.length === 0))
      return state
    const hour = hourOf(createdAt)
    if (!this.#isFirst) this.earlier.push([hour, 'path', pathName(this.#before), -1])
    this.earlier.push([hour, 'path', pathName(state), 1])
    return state
  }

  #walked(kind: CountKind, each: (name: string) => unknown): void {
    const { happened } = this
    for (let index = 0; index < happened.length; index += 2)
      if (happened[index] === kind) each(happened[index + 1] as string)
  }

  #nameBefore({ waitingBlock, queue, counted }: Session): string | undefined {
    const [current] = queue
    const root = queue.at(-1)
    if (!waitingBlock || !current || !root || !counted) return undefined
    const { blockId } = waitingBlock
    return this.#tally.nameOf(current.flowId, blockId)
  }

  /** Where nothing follows: a conversation that was ended from outside has come no further than where it waited. */
  #lastBlock(waited: string | undefined): string {
    let last: string | undefined
    if (!this.#turn.conversation.hasEnded) this.#walked('shown', (name) => (last = name))
    return last ?? waited ?? ''
  }

  #add(kind: CountKind, name: string): void {
    this.happened.push(kind, name)
  }
}

/** As results tell it: nothing more is asked, and something was answered. An embed may go on waiting for its event. */
function isCompleted({ waitingBlock, acceptedReplies, hasEnded }: Conversation): boolean {
  const isOver = waitingBlock === undefined || isBubble(waitingBlock)
  return isOver && !hasEnded && acceptedReplies > 0
}

const isBubble = ({ handler }: CompiledBlock) => handler?.kind === 'bubble'

/** The name of a path: its places, and its cohort behind them. */
export function pathName([, path, cohort = []]: CountedSession): string {
  return cohort.length > 0 ? `${path} ${JSON.stringify(cohort)}` : path
}
