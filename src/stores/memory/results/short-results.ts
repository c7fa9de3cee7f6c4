import { updatedResult } from '../../codec/apply-result-update.ts'
import { changeColumns, resultColumns } from '../../codec/result-codec.ts'
import { columnNames, fromRow, toRow } from '../../codec/row-codec.ts'
import type {
  Result,
  ResultAnswer,
  ResultUpdate,
  ResultVariable,
  TranscriptLine,
} from '../../result-store.ts'

/** The lists of a result and of a change, whose entries are rows. */
const listColumns = {
  variables: columnNames<ResultVariable>({ id: true, name: true, value: true, sensitivity: true }),
  answers: columnNames<ResultAnswer>({ blockId: true, content: true, attachedFileUrls: true }),
  transcript: columnNames<TranscriptLine>({ role: true, text: true, name: true, generatedBy: true }),
}

type Lists = Pick<ResultUpdate, keyof typeof listColumns>

type AnyRecord = Readonly<Record<string, unknown>>

/** Writes a result as JSON for this process alone: without its ids, which it is kept by, and its lists without names. */
export function writeShortResult(result: Result): string {
  return writeShort({ ...result, id: '', flowId: '' }, resultColumns)
}

/** Writes a change in a line of its own, to follow its result. */
export function writeShortChange(change: ResultUpdate): string {
  const requestId = change.logs?.length ? change.requestId : undefined
  return `\n${writeShort({ ...change, requestId }, changeColumns)}`
}

/** Reads a result with all the changes that follow it. */
export function readShortResult({ id, flowId }: Pick<Result, 'id' | 'flowId'>, text: string): Result {
  const [first = '', ...lines] = text.split('\n')
  return lines.reduce(
    (earlier, line) =>
      updatedResult(earlier, { ...readShort<ResultUpdate>(line, changeColumns), id, flowId }),
    { ...readShort<Result>(first, resultColumns), id, flowId },
  )
}

function writeShort<T extends Lists>(record: T, columns: readonly string[]): string {
  const { variables, answers, transcript } = record
  const rows = {
    variables: variables?.map((each) => toRow(each, listColumns.variables)),
    answers: answers?.map((each) => toRow(each, listColumns.answers)),
    transcript: transcript?.map((each) => toRow(each, listColumns.transcript)),
  }
  return JSON.stringify(toRow<AnyRecord>({ ...record, ...rows }, columns))
}

function readShort<T extends Lists>(text: string, of: readonly string[]): T {
  const record: AnyRecord = fromRow(JSON.parse(text), of)
  const lists: Record<string, unknown> = {}
  for (const [name, columns] of Object.entries<readonly string[]>(listColumns)) {
    const rows = record[name] as readonly (readonly unknown[])[] | undefined
    // The value of a variable may be null, which rows do not tell from what is absent.
    const whole = name === 'variables' ? { value: null } : {}
    if (rows) lists[name] = rows.map((row) => ({ ...whole, ...fromRow<AnyRecord>(row, columns) }))
  }
  return { ...record, ...lists } as T
}
