import { ServiceError } from '../../../lib/errors.ts'
import { writeConversation } from '../../codec/conversation-codec.ts'
import { writeChange } from '../../codec/result-codec.ts'
import type { FirstCommit, TurnCommit } from '../../conversation-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import { createStatementBatch } from '../statement-batch.ts'
import { keepTurns } from './keep-statements.ts'
import type { PostgresLease } from './postgres-lease.ts'

/** Keeps what turns and starts commit; false when it was not kept, since the lease or the revision has passed. */
export interface TurnKeeper {
  keep(turn: FirstCommit & Partial<TurnCommit>, lease: PostgresLease | undefined): Promise<boolean>
}

export interface TurnKeeperOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  readonly writer: Pick<ResultWriter, 'compact'>
  readonly ttlMs: number
  /** What the end of a session may lag, and is later for it. */
  readonly slackMs: number
  readonly answerMs: number
}

/** Characters of one session. What flows may keep is bounded far below. */
const mostCharacters = 32 * 1024 * 1024

/** The number of no payload. */
const everyPayload = Number.MAX_SAFE_INTEGER

interface KeptTurn {
  readonly turn: FirstCommit & Partial<TurnCommit>
  readonly lease: PostgresLease | undefined
  readonly revision: number
  readonly text: string
}

export function createTurnKeeper(options: TurnKeeperOptions): TurnKeeper {
  const { database, writer, ttlMs, slackMs, answerMs } = options

  const { send } = createStatementBatch<KeptTurn, boolean>(async (turns) => {
    const results = turns.flatMap(({ turn }, index) =>
      turn.results.map((update) => ({ update, number: index + 1 })),
    )
    const rows = await database.query<{ kept: number | null; full: number | null }>(keepTurns, [
      turns.map(({ turn }) => turn.session.id),
      turns.map(({ turn }) => turn.session.kind === 'preview'),
      turns.map(({ lease }) => lease?.token ?? null),
      turns.map(({ revision }) => revision),
      turns.map(({ text }) => text),
      turns.map(droppedPayload),
      turns.map(({ lease }) => lease?.claim ?? null),
      turns.map(({ turn }) => (turn.answer === undefined ? null : storableText(turn.answer))),
      turns.map(({ revision }) => revision === 1),
      results.map(({ number }) => number),
      results.map(({ update }) => storableText(update.flowId)),
      results.map(({ update }) => storableText(update.id)),
      results.map(({ update }) => update.now),
      results.map(({ update }) => writeChange(update)),
      ttlMs,
      slackMs,
      answerMs,
    ])
    writer.compact(rows.flatMap(({ full }) => full ?? []))
    const kept = new Set(rows.map(({ kept }) => kept))
    return turns.map((_, index) => kept.has(index + 1))
  })

  return {
    async keep(turn, lease) {
      const revision = (lease?.revision ?? 0) + 1
      const text = writeConversation(turn.session, revision)
      if (text.length > mostCharacters) {
        const message = `The session takes ${text.length} characters to keep, more than the ${mostCharacters} of a row`
        throw new ServiceError('PAYLOAD_TOO_LARGE', message)
      }
      return await send({ turn, lease, revision, text })
    },
  }
}

/** The number of the latest payload that goes with the turn. */
function droppedPayload({ turn, lease }: KeptTurn): number {
  if (turn.payloads === 'keep') return -1
  return turn.payloads === 'take' ? (lease?.payloadNumber ?? 0) : everyPayload
}
