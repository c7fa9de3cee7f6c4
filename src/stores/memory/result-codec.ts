import type { Result, ResultUpdate } from '../result-store.ts'
import { updatedResult } from './apply-result-update.ts'
import { columnsOf, fromRow, toRow } from './row-codec.ts'

const resultColumns = columnsOf<Result>({
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

const changeColumns = columnsOf<Change>({
  now: true,
  lastChatSessionId: true,
  hasStarted: true,
  isCompleted: true,
  variables: true,
  answers: true,
  transcript: true,
  logs: true,
})

/** Writes a result; what `writeChange` writes may follow it. */
export function writeResult(result: Result): string {
  return JSON.stringify(toRow(result, resultColumns))
}

/** Writes a change in a line of its own: a result that grows with each turn need not be written anew each time. */
export function writeChange(change: Change): string {
  return `\n${JSON.stringify(toRow(change, changeColumns))}`
}

/** Reads a result with all the changes that follow it. */
export function readResult(text: string): Result {
  const [first = '', ...lines] = text.split('\n')
  const result: Result = fromRow(JSON.parse(first), resultColumns)
  return lines.reduce((earlier, line) => {
    const change: Change = fromRow(JSON.parse(line), changeColumns)
    return updatedResult(earlier, { ...change, id: result.id, flowId: result.flowId, mayCreate: false })
  }, result)
}
