import { writeChange, writeResult } from '../../codec/result-codec.ts'
import type { ClientLogs } from '../../conversation-store.ts'
import type { ResultUpdate } from '../../result-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { createStatementBatch } from '../statement-batch.ts'
import { type ResultRow, resultOfRow } from './result-row.ts'
import {
  appendToExisting,
  emptyLines,
  findResults,
  lockResult,
  rebaseResult,
  writeKeyedChanges,
} from './result-statements.ts'

/** Writes results apart from the conversations that change them. */
export interface ResultWriter {
  /**
   * Appends the changes of a turn, once however often it is called with the key of that turn. Changes of many turns that
   * come at once are one statement; each is kept or refused by itself.
   */
  writeResultUpdates(turnKey: string, updates: readonly ResultUpdate[]): Promise<void>
  /** Appends logs where their result is, once for each key; false where there is none. */
  appendClientLogs(report: ClientLogs): Promise<boolean>
  /** Writes results anew that were found without room; at some time, since reads don't depend on it. */
  compact(numbers: readonly number[]): void
  /** Waits for what is under way. */
  close(): Promise<void>
}

interface KeyedUpdates {
  readonly turnKey: string
  readonly updates: readonly ResultUpdate[]
}

export function createResultWriter({ query, transaction }: PostgresDatabase): ResultWriter {
  let compacting: Promise<void> = Promise.resolve()

  const batch = createStatementBatch<KeyedUpdates, void>(async (turns) => {
    const changes = turns.flatMap(({ turnKey, updates }) => updates.map((update) => ({ turnKey, update })))
    const rows = await query<{ number: number }>(writeKeyedChanges, [
      changes.map(({ turnKey }) => turnKey),
      changes.map(({ update }) => storableText(update.flowId)),
      changes.map(({ update }) => storableText(update.id)),
      changes.map(({ update }) => update.now),
      changes.map(({ update }) => writeChange(update)),
    ])
    compact(rows.map(({ number }) => number))
    return turns.map(() => undefined)
  })

  /** Another process may have done so meanwhile, or erased it: then there is nothing to do. */
  async function rewrite(number: number): Promise<void> {
    await transaction(async (query) => {
      const [locked] = await query(lockResult, [number])
      if (!locked) return
      const [row] = await query<ResultRow>(findResults, [[number]])
      if (!row) return
      await query(rebaseResult, [number, writeResult(resultOfRow(row))])
      await query(emptyLines, [number])
    })
  }

  function compact(numbers: readonly number[]): void {
    for (const number of numbers) compacting = compacting.then(() => rewrite(number)).catch(() => undefined)
  }

  return {
    async writeResultUpdates(turnKey, updates) {
      if (updates.length > 0) await batch.send({ turnKey, updates })
    },
    async appendClientLogs({ flowId, resultId, key, ...change }) {
      const [row] = await query<{ number: number; room: number }>(appendToExisting, [
        storableText(flowId),
        storableText(resultId),
        `logs ${key}`,
        writeChange(change),
      ])
      if (row && row.room < 0) compact([row.number])
      return row !== undefined
    },
    compact,
    close: () => compacting,
  }
}
