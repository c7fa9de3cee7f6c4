import type { Program } from '../engine/model/program.ts'
import { valueToText } from '../engine/values/value.ts'
import type { Result } from '../stores/result-store.ts'
import { answerLabel } from './answer-label.ts'

/** One column of the table: a fact about the result, the answers to a block, or a variable. */
interface Column {
  readonly kind: 'fact' | 'answer' | 'variable'
  /** Name of the fact, id of the block, name of the variable. */
  readonly key: string
  readonly header: string
}

/** A result as its cells are looked up. */
type Cells = Readonly<Record<Column['kind'], ReadonlyMap<string, string>>>

const facts = ['id', 'createdAt', 'hasStarted', 'isCompleted']

/**
 * Lays results out as a table, the headers first. The columns are the facts, the inputs of the published flow and
 * its variables, and so are the same for every page. What only the results know (blocks of linked flows and of
 * earlier versions) follows them, and may differ from page to page; so does everything of a flow that is not
 * published any more. Several answers to one block, and the files attached to them, are lines of one cell.
 */
export function buildResultTable(results: readonly Result[], program: Program | undefined): string[][] {
  const rows = results.map(cellsOf)
  const columns = withDistinctHeaders([
    ...facts.map((key): Column => ({ kind: 'fact', key, header: key })),
    ...distinct([...(program ? declaredColumns(program) : []), ...foundColumns(rows)]),
  ])
  return [
    columns.map(({ header }) => header),
    ...rows.map((cells) => columns.map(({ kind, key }) => cells[kind].get(key) ?? '')),
  ]
}

function declaredColumns(program: Program): Column[] {
  const inputs = [...program.blocks.values()].filter(({ handler }) => handler?.kind === 'input')
  const variables = program.variables.all.filter(({ isSessionVariable }) => !isSessionVariable)
  return [
    ...inputs.map(({ id }) => answerColumn(id, answerLabel(program, id))),
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
function distinct(columns: readonly Column[]): Column[] {
  const byKey = new Map<string, Column>()
  for (const column of columns) {
    const key = `${column.kind} ${column.key}`
    if (!byKey.has(key)) byKey.set(key, column)
  }
  return [...byKey.values()]
}

/** A variable that has the name of an answer says that it is one; a name that is still taken gets a number. */
function withDistinctHeaders(columns: readonly Column[]): Column[] {
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

function cellsOf(result: Result): Cells {
  const answer = new Map<string, string>()
  for (const { blockId, content, attachedFileUrls = [] } of result.answers) {
    const earlier = answer.get(blockId)
    const lines = [...(earlier === undefined ? [] : [earlier]), content, ...attachedFileUrls]
    answer.set(blockId, lines.join('\n'))
  }
  const variable = new Map<string, string>()
  for (const { name, value } of result.variables) {
    if (!variable.get(name)) variable.set(name, valueToText(value))
  }
  return { fact: factsOf(result), answer, variable }
}

function factsOf({ id, createdAt, hasStarted, isCompleted }: Result): ReadonlyMap<string, string> {
  return new Map([
    ['id', id],
    ['createdAt', new Date(createdAt).toISOString()],
    ['hasStarted', String(hasStarted)],
    ['isCompleted', String(isCompleted)],
  ])
}
