import type { Console } from '../command.ts'
import { countOf, oneLine, say } from '../output/plain-text.ts'
import type { RefusedRow } from './read-table.ts'

/** Outcome of a table, as far as it has come. */
export interface ImportReport {
  readonly file: string
  readonly flow: string
  readonly zone: string
  imported: number
  known: number
  outlived: number
  refusedCount: number
  /** The first of them. */
  readonly refused: RefusedRow[]
  unmatched: readonly string[]
  /** The reason why it ended before its end. */
  failure?: string
}

/** Reports on an import of results. */
export function tellResults(report: ImportReport, format: 'pretty' | 'json', console: Console): void {
  if (format === 'json') console.print(`${JSON.stringify(report, null, 2)}\n`)
  else tellPeople(report, console)
}

function tellPeople(report: ImportReport, { print, warn }: Console): void {
  const { file, flow, zone, imported, known, outlived, refusedCount, refused, unmatched, failure } = report
  for (const { row, column, message } of refused)
    say(warn, `${file}: row ${row}${column === undefined ? '' : `, column "${column}"`}: ${message}`)
  for (const column of unmatched)
    say(
      warn,
      `${file}: column "${column}": no variable, group with an input or input of ${flow} has this name`,
    )
  if (failure !== undefined) say(warn, `${file}: ${failure}`)
  print(`Imported: ${oneLine(`${countOf(imported, 'result')} into ${flow}`)}\n`)
  if (known > 0) print(`Left as they are, as they were imported before or erased: ${known}\n`)
  if (outlived > 0) print(`Left off, as ${oneLine(flow)} keeps nothing that old: ${outlived}\n`)
  if (refusedCount > 0) print(`Not taken: ${countOf(refusedCount, 'row')}\n`)
  print(`Times without a zone were read as those of ${oneLine(zone)} (--time-zone).\n`)
}
