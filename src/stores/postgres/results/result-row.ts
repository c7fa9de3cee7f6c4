import { updatedResult } from '../../codec/apply-result-update.ts'
import { readResult, writeResult } from '../../codec/result-codec.ts'
import { type VisitColumns, withVisit } from '../../codec/result-visit.ts'
import { type SearchedTexts, searchedTexts } from '../../codec/searched-texts.ts'
import type { Result, ResultUpdate } from '../../result-store.ts'
import { columnsOf } from '../statement-batch.ts'

/** A result as it is kept: what was written anew, if it was, and what follows. */
export interface ResultRow extends VisitColumns {
  readonly number: number
  readonly flowId: string
  readonly id: string
  readonly createdAt: number
  readonly base: string | null
  readonly lines: string | null
}

/** All that is kept of a result, as `writeResult` and `writeChange` write it. */
export function textOfRow({ flowId, id, createdAt, base, lines }: ResultRow): string {
  const first = base ?? writeResult(updatedResult(undefined, { flowId, id, now: createdAt }))
  return first + (lines ?? '')
}

export function resultOfRow(row: ResultRow): Result {
  return withVisit(readResult(textOfRow(row)), row)
}

/** A result written anew, and what it is found by. */
export function baseColumns(result: Result): readonly unknown[] {
  const { said, held } = searchedTexts(result) ?? {}
  return [writeResult(result), said, held]
}

/** Two columns: the texts that changes are found by. */
export function searchedColumns(
  changes: readonly Pick<ResultUpdate, 'answers' | 'variables' | 'masked'>[],
): readonly string[] {
  const texts = changes.map((change) => searchedTexts(change) ?? {})
  return columnsOf<Partial<SearchedTexts>>(texts, 'said', 'held')
}
