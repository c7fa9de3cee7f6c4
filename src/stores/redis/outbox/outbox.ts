import { ServiceError } from '../../../lib/errors.ts'
import type { StoreReport } from '../../store-health.ts'
import type { RedisConnection } from '../connection/redis-connection.ts'
import { ConversationKeys, keysOfSlot, liveTags, pendingKeyOf, previewTag } from '../conversation-keys.ts'
import { clearScript, outboxScript, overdueScript, pendingScript } from '../scripts/upkeep-scripts.ts'
import { readResultTurn } from './outbox-codec.ts'
import type { ResultSink, ResultTurn } from './result-sink.ts'

/** Brings changes of results from Redis, where turns are committed, to where results are kept: each of them once. */
export interface Outbox {
  /**
   * Writes the changes of a turn that was just committed, behind those of earlier turns where the outbox holds several. What
   * can't be written now is written later.
   */
  deliver(keys: ConversationKeys, turn: ResultTurn, inOutbox: number): Promise<void>
  /** Writes what is left of a conversation, in order. Throws what the sink throws. */
  drain(keys: ConversationKeys): Promise<void>
  /** Writes whatever was committed about a result. */
  drainResult(resultId: string): Promise<void>
  /** Writes whatever was committed. */
  drainAll(): Promise<void>
  /** Writes what a process left behind that ended on the way. */
  drainOverdue(): Promise<void>
}

export interface OutboxOptions {
  readonly connection: Pick<RedisConnection, 'run'>
  readonly sink: ResultSink
  readonly report: Pick<StoreReport, 'error'>
  /** After so long a process is taken to be unable to write what it committed. */
  readonly overdueMs: number
}

/** How long a turn that is committed waits for its changes to be written. */
const patienceMs = 1000

/** Conversations that are drained at a time. */
const batchSize = 100

const allTags = [...liveTags, previewTag]

const resultIdsOf = ({ updates }: ResultTurn) => updates.map(({ id }) => id)

export function createOutbox({ connection: { run }, sink, report, overdueMs }: OutboxOptions): Outbox {
  async function clear(keys: ConversationKeys, turns: readonly ResultTurn[], resultIds: readonly string[]) {
    const revisions = turns.map(({ revision }) => revision)
    const args = [keys.member, revisions.length, ...revisions, ...resultIds]
    await run(clearScript, [keys.outbox, keys.slot.pending], args)
  }

  async function read(keys: ConversationKeys): Promise<ResultTurn[]> {
    const texts = (await run(outboxScript, [keys.outbox], [])) as string[]
    return texts.map(readResultTurn).sort((one, other) => one.revision - other.revision)
  }

  async function drain(keys: ConversationKeys, resultIds: readonly string[] = []): Promise<void> {
    const turns = await read(keys)
    await sink.write(turns)
    await clear(keys, turns, [...new Set([...turns.flatMap(resultIdsOf), ...resultIds])])
  }

  const drainMembers = (tag: string, members: readonly string[], resultIds?: readonly string[]) =>
    Promise.all(members.map((member) => drain(new ConversationKeys(member, tag), resultIds)))

  async function drainSlot(tag: string): Promise<void> {
    const { pending } = keysOfSlot(tag)
    let place = 0
    // What is added meanwhile was committed later.
    const before = (await run(pendingScript, [pending], ['all'])) as string[]
    for (; place < before.length; place += batchSize)
      await drainMembers(tag, before.slice(place, place + batchSize))
  }

  return {
    async deliver(keys, turn, inOutbox) {
      const writeThis = async () => {
        await sink.write([turn])
        await clear(keys, [turn], resultIdsOf(turn))
      }
      const written = inOutbox > 1 ? drain(keys) : writeThis()
      const late = written.catch((error) => {
        // A server that is away has been reported.
        if (!(error instanceof ServiceError))
          report.error({ err: error }, 'results of a turn are written later')
      })
      await within(patienceMs, late)
    },
    drain,
    async drainResult(resultId) {
      const drains = allTags.map(async (tag) => {
        const members = (await run(pendingScript, [pendingKeyOf(tag, resultId)], ['set'])) as string[]
        await drainMembers(tag, members, [resultId])
      })
      await Promise.all(drains)
    },
    async drainAll() {
      await Promise.all(allTags.map(drainSlot))
    },
    async drainOverdue() {
      for (const tag of allTags) {
        const { pending, sweep } = keysOfSlot(tag)
        const members = (await run(overdueScript, [pending, sweep], [overdueMs, batchSize])) as string[]
        await drainMembers(tag, members)
      }
    },
  }
}

async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
