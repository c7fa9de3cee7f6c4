import { LRUCache } from 'lru-cache'
import { nanoid } from 'nanoid'
import { ServiceError } from '../../lib/errors.ts'
import type { Session } from '../../sessions/session.ts'
import { readConversation, writeConversation } from '../codec/conversation-codec.ts'
import type {
  ClientLogs,
  ConversationStore,
  CountedTurn,
  FirstCommit,
  StoredConversation,
  TurnCommit,
} from '../conversation-store.ts'
import type { CountStore } from '../counts/count-store.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { Admission } from './admission.ts'
import {
  type ConversationTable,
  everyPayload,
  type SessionRow,
  type SessionTexts,
} from './conversation-table.ts'
import { claimOf, type TurnLease } from './turn-lease.ts'

interface ConversationsOptions {
  readonly table: ConversationTable
  /** Appends to a result, once for each key; false where there is none. */
  appendLogs(report: ClientLogs): Promise<boolean>
  /** Absent where nothing is counted. */
  readonly counts?: Pick<CountStore, 'describe'> | undefined
  /** Turns that wait for one session in this process, besides the one that runs. */
  readonly maxQueuedTurns: number
  /** Milliseconds from its arrival for which a turn waits for those of other processes; a minute unless given. */
  readonly maxWaitMs?: number
  readonly timers?: Timers
  /** Milliseconds of a clock that only goes forward. */
  elapsed?(): number
  /** Milliseconds since 1970. */
  now?(): number
  /** Distinguishes the leases of this process from others. */
  readonly processName?: string
}

const storedTexts: SessionTexts = { write: writeConversation, read: (text) => readConversation(text) }

/** Versions that are known to be described, each of the size 1: by `max`, lists would be allocated for all of them at once. */
const mostDescribed = 10_000

/**
 * The conversations of a table, as one process sees them: the rules of turns, over rows that a back end keeps. Its functions may
 * be taken apart.
 */
export class Conversations implements ConversationStore {
  readonly #table: ConversationTable
  readonly #texts: SessionTexts
  readonly #admission: Admission
  readonly #now: () => number
  readonly #counts: ConversationsOptions['counts']
  /** Hashes of versions whose places are known. */
  readonly #described = new LRUCache<string, true>({ maxSize: mostDescribed })
  readonly #sentBy = new Set<() => void>()
  readonly appendClientLogs: ConversationStore['appendClientLogs']

  constructor(options: ConversationsOptions) {
    const { table, appendLogs, timers = systemTimers, elapsed = () => performance.now() } = options
    const { maxQueuedTurns, maxWaitMs = 60_000, processName = nanoid(12) } = options
    this.#table = table
    this.#texts = table.texts ?? storedTexts
    this.#counts = options.counts
    this.#now = options.now ?? Date.now
    this.#admission = new Admission({ table, maxQueuedTurns, maxWaitMs, processName, timers, elapsed })
    this.appendClientLogs = appendLogs
  }

  readonly look: ConversationStore['look'] = async (id) => this.#read((await this.#table.read(id))[0], id)

  readonly whyMissing: ConversationStore['whyMissing'] = async (id) =>
    (await this.#table.whyMissing(id)) === 'expired' ? 'expired' : 'unknown'

  readonly enter: ConversationStore['enter'] = async (request) => {
    const { id, idempotency, isIdleOnly = false } = request
    const claim = claimOf(id, idempotency)
    const outcome = await this.#admission.letIn({ id, needs: 'session', claim, isIdleOnly })
    if (outcome.state !== 'admitted') return outcome
    const { lease, rows } = outcome
    const conversation = this.#found(rows[0], lease)
    if (conversation) return { state: 'entered', lease, conversation }
    await this.#admission.leave(lease)
    return { state: 'not found' }
  }

  readonly enterStart: ConversationStore['enterStart'] = async (request) => {
    const { idempotency } = request
    const wanted =
      'newId' in request
        ? { id: request.newId, claim: claimOf(undefined, idempotency) }
        : { id: request.previewId, claim: claimOf(request.previewId, idempotency) }
    const outcome = await this.#admission.letIn({ ...wanted, needs: 'row' })
    if (outcome.state !== 'admitted') return outcome
    const { lease, rows } = outcome
    this.#found(
      rows.find(({ kind }) => kind === 'preview'),
      lease,
    )
    return { state: 'entered', lease }
  }

  readonly isHeld: ConversationStore['isHeld'] = (lease) => this.#admission.keeper.confirm(lease as TurnLease)

  readonly commit: ConversationStore['commit'] = async (given, turn) => {
    const lease = given as TurnLease
    const isHeld = this.#admission.keeper.holds(lease)
    if (!isHeld || (await this.#write(turn, lease)) === 'lost') {
      await this.#admission.leave(lease)
      return undefined
    }
    this.#admission.left(lease)
    return lease.revision + 1
  }

  readonly release: ConversationStore['release'] = (given) => this.#admission.leave(given as TurnLease)

  readonly start: ConversationStore['start'] = async (first) => {
    await this.#write(first, undefined)
  }

  readonly erase: ConversationStore['erase'] = async (id) => {
    const outcome = await this.#admission.letIn({ id, needs: 'lease', claim: undefined })
    if (outcome.state !== 'admitted')
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        'Too many requests are waiting for this session: send one, and the next when it is answered',
      )
    if (!(await this.#eraseLeased([outcome.lease])).has(id))
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The place in the line of this session was lost: try again',
      )
  }

  readonly eraseIdle: ConversationStore['eraseIdle'] = async (ids) => {
    const wanted = { needs: 'lease', claim: undefined, isIdleOnly: true } as const
    const outcomes = await Promise.allSettled(ids.map((id) => this.#admission.letIn({ ...wanted, id })))
    const leases = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value.state === 'admitted' ? [outcome.value.lease] : [],
    )
    const erased = await this.#eraseLeased(leases)
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
    return ids.filter((id) => !erased.has(id))
  }

  readonly receiveWebhook: ConversationStore['receiveWebhook'] = ({ id, revision, text }) =>
    this.#table.putPayload(id, revision, text)

  readonly subscribe: ConversationStore['subscribe'] = (id, wake) => this.#table.watch(id, wake)

  readonly due: ConversationStore['due'] = (limit) => this.#table.due(limit)

  readonly watchOutgoing: ConversationStore['watchOutgoing'] = (wake) => {
    this.#sentBy.add(wake)
    return () => void this.#sentBy.delete(wake)
  }

  readonly usage: ConversationStore['usage'] = () => this.#table.usage()

  readonly close: ConversationStore['close'] = () => this.#admission.close()

  #read(row: SessionRow | undefined, id: string): StoredConversation | undefined {
    if (!row) return undefined
    const { text, kind, payload } = row
    return { ...this.#texts.read(text, id, kind), payload }
  }

  /** A session that can't be read is left alone. */
  #found(row: SessionRow | undefined, lease: TurnLease): StoredConversation | undefined {
    try {
      const conversation = this.#read(row, lease.id)
      if (conversation) lease.found(conversation)
      return conversation
    } catch (error) {
      void this.#admission.leave(lease)
      throw error
    }
  }

  /** No promise but that of the table, where nothing is to be described or told. */
  #write(turn: FirstCommit & Partial<TurnCommit>, lease: TurnLease | undefined): Promise<'kept' | 'lost'> {
    const { session, results, contact, address, answer, outgoing, counted } = turn
    if (counted && !this.#described.has(counted.facts.version))
      return this.#describe(counted).then(() => this.#write(turn, lease))
    const revision = (lease?.revision ?? 0) + 1
    const outcome = this.#table.commit({
      id: session.id,
      kind: session.kind,
      token: lease?.token,
      revision,
      text: this.#texts.write(session, revision),
      results,
      contact,
      address,
      claim: lease?.claim,
      answer,
      droppedPayload: droppedPayload(turn, lease),
      dueIn: session.timers && dueIn(session, this.#now()),
      outgoing,
      facts: counted?.facts,
    })
    return outgoing ? outcome.then((kept) => this.#tell(kept)) : outcome
  }

  #tell(outcome: 'kept' | 'lost'): 'kept' | 'lost' {
    if (outcome === 'kept') for (const wake of this.#sentBy) wake()
    return outcome
  }

  /** Once for each version in each process: what a turn of it leaves can then be read whatever becomes of its definition. */
  async #describe({ facts, places }: CountedTurn): Promise<void> {
    const { flowId, version } = facts
    await this.#counts?.describe(flowId, { version, places: places() })
    this.#described.set(version, true, { size: 1 })
  }

  /** The ids of those that were still held. */
  async #eraseLeased(leases: readonly TurnLease[]): Promise<ReadonlySet<string>> {
    let erased: ReadonlySet<string> = new Set()
    try {
      if (leases.length > 0) erased = await this.#table.erase(leases)
    } finally {
      for (const lease of leases) {
        if (erased.has(lease.id)) this.#admission.left(lease)
        else void this.#admission.leave(lease)
      }
    }
    return erased
  }
}

/** Until the first timer of a session. Time that stands or is made up passes when it is told to. */
function dueIn({ timers = [], mocks }: Session, now: number): number | undefined {
  const first = Math.min(...timers.map(({ due = Infinity }) => due))
  return first === Infinity || mocks?.rules.clock !== undefined ? undefined : Math.max(0, first - now)
}

function droppedPayload({ payloads }: Partial<TurnCommit>, lease: TurnLease | undefined): number {
  if (payloads === 'keep') return -1
  return payloads === 'take' ? (lease?.payloadNumber ?? 0) : everyPayload
}
