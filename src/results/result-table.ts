import type { Program } from '../engine/model/program.ts'
import { type Value, valueToText } from '../engine/values/value.ts'
import type { Result } from '../stores/result-store.ts'
import { answerLabel, answerVariable } from './answer-label.ts'

/** One column of the table: a fact about the result, the answers to a block, or a variable. */
export interface Column {
  readonly kind: 'fact' | 'answer' | 'variable'
  /** Name of the fact, id of the block, name of the variable. */
  readonly key: string
  readonly header: string
}

/** The names of the variables that inputs save their answers in, by the ids of the blocks. */
type SavedIn = ReadonlyMap<string, string>

/** A result as its cells are looked up. */
export type Cells = Readonly<Record<Column['kind'], ReadonlyMap<string, string>>>

const facts = ['id', 'createdAt', 'hasStarted', 'isCompleted']

/**
 * Lays results out as a table, the headers first. The columns are the facts, the inputs of the published flow and
 * its variables, and so are the same for every page. What only the results know (blocks of linked flows and of
 * earlier versions) follows them, and may differ from page to page; so does everything of a flow that is not
 * published any more.
 *
 * An input that saves its answer in a variable has no column of its own: it would hold the same text twice. The
 * column of the variable holds the answers in their order, then the value that the flow gave it, if that is another.
 * Several answers, and the files attached to them, are lines of one cell.
 */
export function buildResultTable(results: readonly Result[], program: Program | undefined): string[][] {
  const savedIn = savedAnswers(program)
  const rows = results.map((result) => cellsOf(result, savedIn))
  const columns = withDistinctHeaders([
    ...factsIn(results).map((key): Column => ({ kind: 'fact', key, header: key })),
    ...distinct([...(program ? declaredColumns(program, savedIn) : []), ...foundColumns(rows)]),
  ])
  return [
    columns.map(({ header }) => header),
    ...rows.map((cells) => columns.map(({ kind, key }) => cells[kind].get(key) ?? '')),
  ]
}

export function savedAnswers(program: Program | undefined): SavedIn {
  const savedIn = new Map<string, string>()
  for (const { id } of program ? inputsOf(program) : []) {
    const name = program && answerVariable(program, id)
    if (name !== undefined) savedIn.set(id, name)
  }
  return savedIn
}

const inputsOf = ({ blocks }: Program) =>
  [...blocks.values()].filter(({ handler }) => handler?.kind === 'input')

export function declaredColumns(program: Program, savedIn: SavedIn): Column[] {
  const variables = program.variables.all.filter(({ isSessionVariable }) => !isSessionVariable)
  return [
    ...inputsOf(program).map(({ id }) => {
      const name = savedIn.get(id)
      return name === undefined ? answerColumn(id, answerLabel(program, id)) : variableColumn(name)
    }),
    ...variables.map(({ name }) => variableColumn(name)),
  ]
}

function foundColumns(rows: readonly Cells[]): Column[] {
  return [
    ...rows.flatMap(({ answer }) => [...answer.keys()].map((blockId) => answerColumn(blockId))),
    ...rows.flatMap(({ variable }) => [...variable.keys()].map(variableColumn)),
  ]
}

const answerColumn = (key: string, header = key): Column => ({ kind: 'answer', key, header })

const variableColumn = (key: string): Column => ({ kind: 'variable', key, header: key })

/** The first of each. */
export function distinct(columns: readonly Column[]): Column[] {
  const byKey = new Map<string, Column>()
  for (const column of columns) {
    const key = `${column.kind} ${column.key}`
    if (!byKey.has(key)) byKey.set(key, column)
  }
  return [...byKey.values()]
}

/** A variable that has the name of an answer says that it is one; a name that is still taken gets a number. */
export function withDistinctHeaders(columns: readonly Column[]): Column[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return columns.map((column) => {
    const { kind } = column
    const plain =
      kind === 'variable' && taken.has(column.header) ? `${column.header} (variable)` : column.header
    let header = plain
    while (taken.has(header)) {
      const count = (counts.get(plain) ?? 0) + 1
      counts.set(plain, count)
      header = `${plain} (${count})`
    }
    taken.add(header)
    return { ...column, header }
  })
}

export function cellsOf(result: Result, savedIn: SavedIn): Cells {
  const answer = new Map<string, string>()
  const variable = new Map<string, string>()
  const latest = new Map<string, string>()
  for (const { blockId, content, attachedFileUrls = [] } of result.answers) {
    const name = savedIn.get(blockId)
    if (name === undefined) addLines(answer, blockId, [content, ...attachedFileUrls])
    else {
      addLines(variable, name, [content, ...attachedFileUrls])
      latest.set(name, content)
    }
  }
  for (const [name, value] of firstValues(result)) {
    const isKnown = textsOf(value).includes(latest.get(name) ?? '') || valueToText(value) === ''
    if (!isKnown) addLines(variable, name, [valueToText(value)])
  }
  return { fact: factsOf(result), answer, variable }
}

function addLines(cells: Map<string, string>, key: string, lines: readonly string[]): void {
  const earlier = cells.get(key)
  cells.set(key, [...(earlier === undefined ? [] : [earlier]), ...lines].join('\n'))
}

/** Of variables with one name, the first that holds something. */
function firstValues({ variables }: Result): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const { name, value } of variables) {
    const earlier = values.get(name)
    if (earlier === undefined || valueToText(earlier) === '') values.set(name, value)
  }
  return values
}

/**
 * Lines of a transcript that an answer with this value may have had: several choices, and several files, are one line.
 */
function textsOf(value: Value): string[] {
  return Array.isArray(value) ? [valueToText(value), value.join(', ')] : [valueToText(value)]
}

/** Languages stand in a column where there are any. */
function factsIn(results: readonly Result[]): readonly string[] {
  return results.some(({ locale }) => locale !== undefined) ? [...facts, 'locale'] : facts
}

function factsOf({
  id,
  createdAt,
  hasStarted,
  isCompleted,
  locale = '',
}: Result): ReadonlyMap<string, string> {
  return new Map([
    ['id', id],
    ['createdAt', new Date(createdAt).toISOString()],
    ['hasStarted', String(hasStarted)],
    ['isCompleted', String(isCompleted)],
    ['locale', locale],
  ])
}
