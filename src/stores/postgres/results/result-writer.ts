import { writeChange } from '../../codec/result-codec.ts'
import type { ClientLogs } from '../../conversation-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { baseColumns, type ResultRow, resultOfRow } from './result-row.ts'
import { appendToExisting, findResults, lockResult, rebaseResult } from './result-statements.ts'

export type ResultWriter = ReturnType<typeof createResultWriter>

/** Writes what no turn writes about results. */
export function createResultWriter({ query, transaction }: PostgresDatabase) {
  let compacting: Promise<void> = Promise.resolve()

  /** Another process may have done so meanwhile, or erased it: then there is nothing to do. */
  async function rewrite(number: number): Promise<void> {
    await transaction(async (query) => {
      const [locked] = await query(lockResult, [number])
      if (!locked) return
      const [row] = await query<ResultRow>(findResults, [[number]])
      if (!row) return
      await query(rebaseResult, [number, ...baseColumns(resultOfRow(row))])
    })
  }

  /** Writes results anew that were found without room; at some time, since reads don't depend on it. */
  function compact(numbers: readonly number[]): void {
    for (const number of numbers) compacting = compacting.then(() => rewrite(number)).catch(() => undefined)
  }

  return {
    /** Appends logs where their result is, once for each key; false where there is none. */
    async appendClientLogs({ flowId, resultId, key, ...change }: ClientLogs): Promise<boolean> {
      const [row] = await query<{ number: number; room: number }>(appendToExisting, [
        flowId,
        resultId,
        `logs ${key}`,
        writeChange(change),
      ])
      if (row && row.room < 0) compact([row.number])
      return row !== undefined
    },
    compact,
    /** Waits for what is under way. */
    close: () => compacting,
  }
}
