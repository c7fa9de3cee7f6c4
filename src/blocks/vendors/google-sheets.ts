import { GoogleSheetsBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import { pathPart } from '../../engine/values/path-part.ts'
import {
  cellOf,
  columnName,
  filterRows,
  inputOption,
  quoteTitle,
  readRows,
  rowFilterOf,
  type SheetRows,
  writtenValue,
} from './google-sheets/sheet-rows.ts'
import {
  askVendorForJson,
  describeUnreadableAnswer,
  reportNote,
  reportProblem,
  type VendorQuestion,
} from './lib/ask-vendor.ts'
import { pickRows } from './lib/rows-and-items.ts'
import { defineVendorBlock, type VendorAction } from './lib/vendor-block.ts'

type Options = NonNullable<GoogleSheetsBlock['options']>

const vendor = 'google sheets'

/** Reads and writes rows of a spreadsheet (docs/behaviour/integrations.md, "Google Sheets"). */
export const googleSheets = defineVendorBlock<GoogleSheetsBlock>({
  schema: GoogleSheetsBlock,
  actions: {
    'Get data from sheet': withSheet(getRows),
    'Insert a row': withSheet(insertRow),
    'Update a row': withSheet(updateRows),
  },
  marks: { calls: true, account: () => vendor },
})

/** A sheet that was found, and the calls that are about it. */
interface Sheet {
  readonly spreadsheetTitle: string
  readonly title: string
  /** Calls the service; the path follows that of the spreadsheet. */
  call(
    question: Pick<VendorQuestion, 'method' | 'path' | 'json' | 'reuseMs'>,
  ): ReturnType<typeof askVendorForJson>
}

type SheetAction = (options: Options, sheet: Sheet, context: RunContext) => Effects<Step>

/** Finds the sheet that the options name before the action runs. */
function withSheet(action: SheetAction): VendorAction<Options> {
  return function* (options, context): Effects<Step> {
    const { credentialsId, spreadsheetId, sheetId } = options
    if (spreadsheetId === undefined) return failed(reportProblem('Missing credentialsId or spreadsheetId'))
    if (sheetId === undefined) return failed(reportProblem('Missing sheetId'))
    const call: Sheet['call'] = ({ path, ...question }) =>
      askVendorForJson(
        {
          ...question,
          vendor,
          credentialsId,
          path: `/v4/spreadsheets/${pathPart(spreadsheetId)}${path}`,
        },
        context,
      )
    const found = yield* findSheet(sheetId, call)
    return 'log' in found ? failed(found.log) : yield* action(options, { ...found, call }, context)
  }
}

/** The titles of sheets change rarely. */
const reuseMs = 60_000

function* findSheet(
  sheetId: string,
  call: Sheet['call'],
): Effects<Omit<Sheet, 'call'> | { readonly log: LogEntry }> {
  const fields = 'properties(title),sheets.properties(sheetId,title)'
  const answer = yield* call({ method: 'GET', path: `?${new URLSearchParams({ fields })}`, reuseMs })
  if (!answer.ok) return answer
  const { properties, sheets } = answer.body as { properties?: { title?: unknown }; sheets?: unknown }
  if (!Array.isArray(sheets)) return { log: describeUnreadableAnswer(vendor, JSON.stringify(answer.body)) }
  const known = sheets.map((sheet) => Object(Object(sheet).properties) as Record<string, unknown>)
  const sheet = known.find((candidate) => String(candidate['sheetId']) === sheetId.trim())
  if (!sheet) return { log: reportProblem(`The spreadsheet has no sheet with the id ${sheetId}`) }
  return { spreadsheetTitle: String(properties?.title ?? ''), title: String(sheet['title']) }
}

/** Cost of reading or writing a cell, in the budget of the turn. */
const charactersPerCell = 32

function* getRows(options: Options, sheet: Sheet, context: RunContext): Effects<Step> {
  const read = yield* readSheet(sheet)
  if ('log' in read) return failed(read.log)
  const filter = rowFilterOf(options)
  const found = filter ? yield* filterRows(read, filter, context) : read.rows
  const rows = yield* pickRows(found, options.totalRowsToExtract)
  if (rows.length === 0) return failed(nothingFound("Couldn't find any rows matching the filter", filter))
  const { cellsToExtract = [] } = options
  context.spend(charactersPerCell * rows.length * cellsToExtract.length)
  const assignments = cellsToExtract.flatMap(({ column, variableId }) => {
    if (column === undefined || variableId === undefined) return []
    const values = rows.map((row) => cellOf(read, row, column))
    return [{ variableId, value: values.length === 1 ? values[0] : values.map((value) => value ?? null) }]
  })
  return { assignments }
}

function* insertRow(options: Options, sheet: Sheet): Effects<Step> {
  const { cellsToInsert = [], parseValues = false } = options
  if (cellsToInsert.length === 0) return failed(reportProblem('There are no cells to insert'))
  const range = quoteTitle(sheet.title)
  const header = yield* sheet.call({ method: 'GET', path: `/values/${pathPart(`${range}!1:1`)}` })
  if (!header.ok) return failed(header.log)
  const { titles, columns } = readRows(header.body['values'])
  const written = new Map(cellsToInsert.map(({ column, value = '' }) => [column, value]))
  const logs = [...written.keys()].filter((column = '') => !columns.has(column)).map(unknownColumn)
  const row = titles.map((title) => {
    const value = written.get(title)
    return value === undefined ? null : writtenValue(value, parseValues)
  })
  if (row.every((cell) => cell === null)) return { logs }
  const query = new URLSearchParams({
    valueInputOption: inputOption(parseValues),
    insertDataOption: 'INSERT_ROWS',
  })
  const path = `/values/${pathPart(`${range}!A1`)}:append?${query}`
  const answer = yield* sheet.call({ method: 'POST', path, json: { values: [row] } })
  if (!answer.ok) return { logs: [...logs, answer.log] }
  const description = `Succesfully inserted row in ${sheet.spreadsheetTitle} > ${sheet.title}`
  return { logs: [...logs, { audience: 'visitors', status: 'success', description }] }
}

function* updateRows(options: Options, sheet: Sheet, context: RunContext): Effects<Step> {
  const { cellsToUpsert = [], parseValues = false } = options
  const filter = rowFilterOf(options)
  if (cellsToUpsert.length === 0) return failed(reportProblem('There are no cells to update'))
  // Without one every row would be changed.
  if (!filter) return failed(reportProblem('There is no filter: nothing is updated'))
  const read = yield* readSheet(sheet)
  if ('log' in read) return failed(read.log)
  const rows = yield* filterRows(read, filter, context)
  if (rows.length === 0) return failed(nothingFound('Could not find any row that matches the filter', filter))
  const logs: LogEntry[] = []
  const columns = cellsToUpsert.flatMap(({ column = '', value = '' }) => {
    const at = read.columns.get(column)
    if (at !== undefined) return [{ name: columnName(at), value: writtenValue(value, parseValues) }]
    logs.push(unknownColumn(column))
    return []
  })
  if (columns.length === 0) return { logs }
  context.spend(charactersPerCell * rows.length * columns.length)
  const data = rows.flatMap(({ number }) =>
    columns.map(({ name, value }) => ({
      range: `${quoteTitle(sheet.title)}!${name}${number}`,
      values: [[value]],
    })),
  )
  const json = { valueInputOption: inputOption(parseValues), data }
  const answer = yield* sheet.call({ method: 'POST', path: '/values:batchUpdate', json })
  if (!answer.ok) return { logs: [...logs, answer.log] }
  const description = 'Succesfully updated matching rows'
  return { logs: [...logs, { audience: 'visitors', status: 'success', description }] }
}

function* readSheet({ title, call }: Sheet): Effects<SheetRows | { readonly log: LogEntry }> {
  const answer = yield* call({ method: 'GET', path: `/values/${pathPart(quoteTitle(title))}` })
  return answer.ok ? readRows(answer.body['values']) : answer
}

const failed = (log: LogEntry): Step => ({ logs: [log] })

const unknownColumn = (column = '') => reportProblem(`The sheet has no column "${column}"`)

function nothingFound(description: string, filter: Options['filter']): LogEntry {
  return reportNote(description, JSON.stringify(filter))
}
