import { writeChange, writeResult } from '../../codec/result-codec.ts'
import type { ClientLogs } from '../../conversation-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { type ResultRow, resultOfRow } from './result-row.ts'
import { appendToExisting, findResults, lockResult, rebaseResult } from './result-statements.ts'

/** Writes what no turn writes about results. */
export interface ResultWriter {
  /** Appends logs where their result is, once for each key; false where there is none. */
  appendClientLogs(report: ClientLogs): Promise<boolean>
  /** Writes results anew that were found without room; at some time, since reads don't depend on it. */
  compact(numbers: readonly number[]): void
  /** Waits for what is under way. */
  close(): Promise<void>
}

export function createResultWriter({ query, transaction }: PostgresDatabase): ResultWriter {
  let compacting: Promise<void> = Promise.resolve()

  /** Another process may have done so meanwhile, or erased it: then there is nothing to do. */
  async function rewrite(number: number): Promise<void> {
    await transaction(async (query) => {
      const [locked] = await query(lockResult, [number])
      if (!locked) return
      const [row] = await query<ResultRow>(findResults, [[number]])
      if (!row) return
      await query(rebaseResult, [number, writeResult(resultOfRow(row))])
    })
  }

  function compact(numbers: readonly number[]): void {
    for (const number of numbers) compacting = compacting.then(() => rewrite(number)).catch(() => undefined)
  }

  return {
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
