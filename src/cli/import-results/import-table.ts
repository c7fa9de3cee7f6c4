import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { ResultImportBody } from '../../../schemas/result-import.ts'
import { type Console, exitCodes, UsageError } from '../command.ts'
import { type ImportRow, openTable, type RefusedRow, type ResultTable } from './read-table.ts'
import { type ImportReport, tellResults } from './result-import-report.ts'
import { type ImportTarget, Refused, sendRows } from './send-rows.ts'

/** A table to import, and the flow that gets it. */
export interface ResultImportTerms {
  readonly file: string
  readonly target: ImportTarget
  readonly zone: string
  /** Whether columns that belong nowhere are left off. */
  readonly isForced: boolean
  readonly format: 'pretty' | 'json'
}

/** Rows and characters of them that are sent at once; one row more than that is sent by itself. */
const mostRows = 500
const mostCharacters = 300_000

/** Refused rows that are listed. */
const mostListed = 20

/** Imports a table of results by a running service; the code to exit with. */
export async function importResultTable(terms: ResultImportTerms, console: Console): Promise<number> {
  const { file, target, zone, isForced } = terms
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile()) throw new UsageError(`${file} is no file`)
  const report: ImportReport = { ...none, file, flow: target.flow, zone, refused: [] }
  try {
    const table = await openTable(file, { zone, madeAt: Math.min(stats.mtimeMs, Date.now()) })
    const { unmatched } = await sendRows({ columns: [...table.columns], rows: [] }, target)
    report.unmatched = unmatched
    if (unmatched.length === 0 || isForced) await sendAll(table, target, { report, console })
    else
      report.failure =
        'nothing was imported: give the flow variables of these names, or leave them off with --force'
  } catch (error) {
    report.failure = (error as Error).message
  }
  tellResults(report, terms.format, console)
  return report.failure === undefined && report.refusedCount === 0 ? exitCodes.fine : exitCodes.failed
}

const none = { imported: 0, known: 0, outlived: 0, refusedCount: 0, unmatched: [] as readonly string[] }

interface Progress {
  readonly report: ImportReport
  readonly console: Console
}

async function sendAll(
  table: ResultTable,
  target: ImportTarget,
  { report, console }: Progress,
): Promise<void> {
  const columns = [...table.columns]
  const part = { of: randomUUID(), number: 0 }
  let batch: ImportRow[] = []
  let characters = 0
  const send = async () => {
    if (batch.length === 0) return
    part.number += 1
    const outcome = await sendBatch(batch, { columns, part }, target)
    report.imported += outcome.imported
    report.known += outcome.known
    report.outlived += outcome.outlived
    batch = []
    characters = 0
  }
  for await (const row of table.rows) {
    console.workingOn?.(report.file)
    if (!('sent' in row)) {
      refuse(row, report)
      continue
    }
    const length = row.sent.cells.reduce((sum, cell) => sum + cell.length + 3, 100)
    if (batch.length === mostRows || characters + length > mostCharacters) await send()
    batch.push(row)
    characters += length
  }
  await send()
}

function refuse(row: RefusedRow, report: ImportReport): void {
  report.refusedCount += 1
  if (report.refused.length < mostListed) report.refused.push(row)
}

/** Throws an error that names the row of the file, where the service names one of the batch. */
async function sendBatch(
  batch: readonly ImportRow[],
  head: Omit<ResultImportBody, 'rows'>,
  target: ImportTarget,
) {
  const rows = batch.map(({ sent }) => sent)
  try {
    return await sendRows({ ...head, rows }, target)
  } catch (error) {
    const [problem] = error instanceof Refused ? error.problems : []
    const [, index] = /^\/rows\/(\d+)/.exec(problem?.pointer ?? '') ?? []
    const row = index === undefined ? undefined : batch[Number(index)]
    const where = row ? `row ${row.number}` : `rows ${batch[0]?.number} to ${batch.at(-1)?.number}`
    throw new Error(`${where}: ${row && problem ? problem.message : (error as Error).message}`)
  }
}
