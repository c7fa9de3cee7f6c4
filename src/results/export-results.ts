import type { Program } from '../engine/model/program.ts'
import { type ExportedFile, ndjsonFile, type TableFormat, tableFile } from '../exports/table-file.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import type { Result, ResultFilter } from '../stores/result-store.ts'
import { exportTable } from './export-table.ts'
import { unmaskedResult } from './masked-result.ts'
import { resultBody } from './result-body.ts'
import { type DescribeVisit, describeVisits } from './result-visits.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

interface ExportRequest {
  readonly flowId: string
  readonly program: Program | undefined
  readonly filter: ResultFilter | undefined
  readonly format: TableFormat
  /** Whether values of marked variables stand in their places. */
  readonly isUnmasked: boolean
}

interface Batch {
  readonly results: readonly Result[]
  readonly describe: DescribeVisit
}

/** Results that are read at once. */
const readAtOnce = 200

/** Writes results of a filter as a file, the earliest first, while it is read: those begun meanwhile are in it too. */
export function exportResults(
  request: ExportRequest,
  deps: ResultsDependencies,
  read: Semaphore,
): ExportedFile {
  const { program, format } = request
  const batches = batchesOf(request, deps, read)
  if (format === 'ndjson') return ndjsonFile(bodiesOf(batches))
  return tableFile(exportTable({ batches, program, isSheet: format === 'csv' }), format)
}

async function* batchesOf(
  { flowId, filter, isUnmasked }: ExportRequest,
  deps: ResultsDependencies,
  read: Semaphore,
): AsyncGenerator<Batch> {
  let cursor: string | undefined
  do {
    const asked = { limit: readAtOnce, cursor, filter, order: 'earliest' } as const
    const page = await read(() => deps.results.list(flowId, asked))
    cursor = page.nextCursor
    const results = isUnmasked ? page.results.map(unmaskedResult) : page.results
    if (results.length > 0) yield { results, describe: await describeVisits(results, deps) }
  } while (cursor !== undefined)
}

async function* bodiesOf(batches: AsyncIterable<Batch>): AsyncGenerator<readonly object[]> {
  for await (const { results, describe } of batches)
    yield results.map((result) => resultBody(result, describe))
}
