import type { Result, ResultUpdate } from '../result-store.ts'
import { changedResult, withinRoom } from './apply-result-update.ts'
import { columnNames, fromRow, type Readers, readRow, toRow } from './row-codec.ts'

/** A visit is kept beside the text, so that results are found by it without being read. */
type KeptAsText = Omit<Result, 'visit'>

export const resultColumns = columnNames<KeptAsText>({
  id: true,
  flowId: true,
  createdAt: true,
  updatedAt: true,
  lastChatSessionId: true,
  hasStarted: true,
  isCompleted: true,
  variables: true,
  answers: true,
  transcript: true,
  logs: true,
  locale: true,
  retention: true,
  masked: true,
})

type Change = Omit<ResultUpdate, 'id' | 'flowId' | 'visit'>

export const changeColumns = columnNames<Change>({
  now: true,
  lastChatSessionId: true,
  hasStarted: true,
  isCompleted: true,
  variables: true,
  answers: true,
  transcript: true,
  logs: true,
  requestId: true,
  locale: true,
  retention: true,
  masked: true,
})

/** Of what `writeResult` and `writeChange` write. Another property takes another: a build without it would drop it. */
export const resultFormat = 3

/** Without a locale, and without times and marks: written where there are none, so that the builds before read it during an update. */
export const resultFormatsBefore = [1, 2] as const

const readResultRow = (row: readonly unknown[]): Result => fromRow(row, resultColumns, 1)
const readChangeRow = (row: readonly unknown[]): Change => fromRow(row, changeColumns, 1)

const resultReaders: Readers<Result> = { 1: readResultRow, 2: readResultRow, [resultFormat]: readResultRow }
const changeReaders: Readers<Change> = { 1: readChangeRow, 2: readChangeRow, [resultFormat]: readChangeRow }

const formatOf = ({ locale, retention, masked }: KeptAsText | Change) =>
  retention || masked ? resultFormat : resultFormatsBefore[locale === undefined ? 0 : 1]

/** Writes a result as JSON; what `writeChange` writes may follow it. */
export function writeResult(result: Result): string {
  return JSON.stringify(toRow(result, resultColumns, formatOf(result)))
}

/**
 * Writes a change in a line of its own: a result that grows with each turn need not be written anew each time. The request is
 * named where it has left logs.
 */
export function writeChange(change: Change): string {
  const written = change.logs?.length ? change : { ...change, requestId: undefined }
  return `\n${JSON.stringify(toRow(written, changeColumns, formatOf(change)))}`
}

/** Reads a result with all the changes that follow it. Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readResult(text: string): Result {
  const [first = '', ...lines] = text.split('\n')
  const result = readRow(JSON.parse(first), resultReaders)
  if (lines.length === 0) return result
  const changed = lines.reduce((earlier, line) => {
    const change = readRow(JSON.parse(line), changeReaders)
    return changedResult(earlier, { ...change, id: result.id, flowId: result.flowId })
  }, result)
  return withinRoom(changed)
}
