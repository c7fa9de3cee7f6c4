import { changedResult, withinRoom } from '../../codec/apply-result-update.ts'
import { columnNames, fromRow, toRow } from '../../codec/row-codec.ts'
import type {
  Result,
  ResultAnswer,
  ResultUpdate,
  ResultVariable,
  TranscriptLine,
} from '../../result-store.ts'

/** Parts of a result that a text leaves out: it is read with them. */
type Named = Pick<Result, 'id' | 'flowId' | 'createdAt'>

/** A change in a line of a text. That of a whole result has its logs as they are kept. */
type Change = Omit<ResultUpdate, keyof Named | 'visit'>

/** With each property, so that one that is missing does not compile. */
type WholeChange = { readonly [Name in keyof Required<Change>]: Change[Name] | undefined }

/** As lists where names would be most of them. */
type Written = Readonly<Record<keyof Change, unknown>>

const columns = columnNames<Written>({
  now: true,
  answers: true,
  transcript: true,
  variables: true,
  hasStarted: true,
  isCompleted: true,
  logs: true,
  requestId: true,
  locale: true,
  retention: true,
  masked: true,
  lastChatSessionId: true,
})

const answerColumns = columnNames<ResultAnswer>({ blockId: true, content: true, attachedFileUrls: true })

const saidColumns = columnNames<TranscriptLine>({ role: true, text: true, name: true, generatedBy: true })

/** A list of what has values under these names; undefined where it is empty. */
const listed = <T>(all: readonly T[], names: readonly (keyof T & string)[]) =>
  all.length > 0 ? all.map((each) => toRow(each, names)) : undefined

/** A line of a transcript; 0 for what a visitor said that is the only answer of the change. */
type SaidRow = readonly unknown[] | 0

function saidRow(line: TranscriptLine, answers: readonly ResultAnswer[]): SaidRow {
  const { role, text, name, generatedBy } = line
  const isPlain = role === 'user' && name === undefined && generatedBy === undefined
  return isPlain && answers.length === 1 && answers[0]?.content === text ? 0 : toRow(line, saidColumns)
}

function saidLine(row: SaidRow, answers: readonly ResultAnswer[]): TranscriptLine {
  return row === 0 ? { role: 'user', text: answers[0]?.content ?? '' } : fromRow(row, saidColumns)
}

type VariableRow = readonly [
  id: string,
  name: string,
  value: ResultVariable['value'],
  sensitivity?: ResultVariable['sensitivity'],
]

/** How a text begins whose result is of a session. */
export const beginningOf = (session: string) => JSON.stringify(session)

/** Writes a result for this process alone: neither what its object has besides nor names take room. Lines of changes may follow. */
export function writeLines(result: Result): string {
  // By their names, as copying all but some takes ten times as long as the rest.
  const change: WholeChange = {
    now: result.updatedAt,
    answers: result.answers,
    transcript: result.transcript,
    variables: result.variables.length > 0 ? result.variables : undefined,
    hasStarted: result.hasStarted || undefined,
    isCompleted: result.isCompleted,
    logs: result.logs,
    requestId: undefined,
    locale: result.locale,
    retention: result.retention,
    masked: result.masked,
    lastChatSessionId: undefined,
  }
  return beginningOf(result.lastChatSessionId) + writeLine(change, result.createdAt)
}

/** Writes a change in a line of its own. The request is named where it has left logs. */
export function writeLine(change: Partial<WholeChange>, createdAt: number): string {
  const { now = createdAt, answers = [], transcript = [], variables, logs = [] } = change
  const written: Written = {
    now: now - createdAt,
    answers: listed(answers, answerColumns),
    transcript: transcript.length > 0 ? transcript.map((line) => saidRow(line, answers)) : undefined,
    // A value may be null, which stands for an absent one elsewhere.
    variables: variables?.map(({ id, name, value, sensitivity }) =>
      sensitivity ? [id, name, value, sensitivity] : [id, name, value],
    ),
    hasStarted: change.hasStarted,
    isCompleted: change.isCompleted || undefined,
    logs: logs.length > 0 ? logs : undefined,
    requestId: logs.length > 0 ? change.requestId : undefined,
    locale: change.locale,
    retention: change.retention,
    masked: change.masked,
    lastChatSessionId: change.lastChatSessionId,
  }
  return `\n${JSON.stringify(toRow(written, columns))}`
}

/** Reads a text of `writeLines` with the lines that follow it. */
export function readLines(text: string, { id, flowId, createdAt }: Named): Result {
  const [head = '', first = '', ...lines] = text.split('\n')
  const read = readLine(first, createdAt)
  const { locale, retention, masked } = read
  const result: Result = {
    id,
    flowId,
    createdAt,
    updatedAt: read.now,
    lastChatSessionId: JSON.parse(head),
    hasStarted: read.hasStarted ?? false,
    isCompleted: read.isCompleted ?? false,
    variables: read.variables ?? [],
    answers: read.answers ?? [],
    transcript: read.transcript ?? [],
    logs: (read.logs ?? []) as Result['logs'],
    ...(locale !== undefined && { locale }),
    ...(retention && { retention }),
    ...(masked && { masked }),
  }
  if (lines.length === 0) return result
  const changed = lines.reduce<Result>(
    (earlier, line) => changedResult(earlier, { ...readLine(line, createdAt), id, flowId }),
    result,
  )
  return withinRoom(changed)
}

function readLine(line: string, createdAt: number): Change {
  const read = fromRow<Written>(JSON.parse(line), columns)
  const { now, answers, transcript, variables } = read as {
    readonly now: number
    readonly answers?: readonly unknown[][]
    readonly transcript?: readonly SaidRow[]
    readonly variables?: readonly VariableRow[]
  }
  const given = answers?.map((row) => fromRow<ResultAnswer>(row, answerColumns))
  return {
    ...(read as Omit<Change, 'answers' | 'transcript' | 'variables'>),
    now: createdAt + now,
    ...(given && { answers: given }),
    ...(transcript && { transcript: transcript.map((row) => saidLine(row, given ?? [])) }),
    ...(variables && {
      variables: variables.map(([id, name, value, sensitivity]) => ({
        ...{ id, name, value },
        ...(sensitivity && { sensitivity }),
      })),
    }),
  }
}
