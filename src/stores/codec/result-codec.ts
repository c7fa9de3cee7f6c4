import type { Result, ResultUpdate } from '../result-store.ts'
import { updatedResult } from './apply-result-update.ts'
import { type Readers, readRow } from './format.ts'
import { columnsOf, fromRow, toRow } from './row-codec.ts'

export const resultColumns = columnsOf<Result>({
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
})

type Change = Omit<ResultUpdate, 'id' | 'flowId' | 'mayCreate'>

export const changeColumns = columnsOf<Change>({
  now: true,
  lastChatSessionId: true,
  hasStarted: true,
  isCompleted: true,
  variables: true,
  answers: true,
  transcript: true,
  logs: true,
  requestId: true,
})

/** Of what `writeResult` and `writeChange` write. Another property takes another: a build without it would drop it. */
export const resultFormat = 1

const resultReaders: Readers<Result> = { [resultFormat]: (row) => fromRow(row, resultColumns, 1) }

const changeReaders: Readers<Change> = { [resultFormat]: (row) => fromRow(row, changeColumns, 1) }

/** Writes a result as JSON; what `writeChange` writes may follow it. */
export function writeResult(result: Result): string {
  return JSON.stringify(toRow(result, resultColumns, resultFormat))
}

/** Writes a change in a line of its own: a result that grows with each turn need not be written anew each time. */
export function writeChange(change: Change): string {
  return `\n${JSON.stringify(toRow(change, changeColumns, resultFormat))}`
}

/** Reads a result with all the changes that follow it. Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readResult(text: string): Result {
  const [first = '', ...lines] = text.split('\n')
  const result = readRow(JSON.parse(first), resultReaders)
  return lines.reduce((earlier, line) => {
    const change = readRow(JSON.parse(line), changeReaders)
    return updatedResult(earlier, { ...change, id: result.id, flowId: result.flowId })
  }, result)
}
