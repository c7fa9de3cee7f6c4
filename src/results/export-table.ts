import type { Program } from '../engine/model/program.ts'
import type { Table, TableColumn, TableRow } from '../exports/table.ts'
import type { Result } from '../stores/result-store.ts'
import {
  type Cells,
  type Column,
  cellsOf,
  declaredColumns,
  distinct,
  savedAnswers,
  withDistinctHeaders,
} from './result-table.ts'
import type { DescribeVisit } from './result-visits.ts'

const facts = [
  ['id', 'text'],
  ['flowId', 'text'],
  ['createdAt', 'time'],
  ['updatedAt', 'time'],
  ['hasStarted', 'truth'],
  ['isCompleted', 'truth'],
  ['locale', 'text'],
  ['version', 'text'],
  ['visited', 'json'],
  ['blockId', 'text'],
  ['atFlow', 'text'],
  ['waitingSince', 'time'],
  ['handedOver', 'truth'],
  ['channel', 'text'],
  // What has no column: of linked flows and of earlier versions.
  ['otherAnswers', 'json'],
  ['otherVariables', 'json'],
  ['transcript', 'json'],
  ['logs', 'json'],
] as const satisfies readonly (readonly [string, TableColumn['type']])[]

/** Facts that would be no cells for people. */
const notInSheets = new Set(['transcript', 'logs'])

interface ResultBatches {
  readonly batches: AsyncIterable<{ readonly results: readonly Result[]; readonly describe: DescribeVisit }>
  readonly program: Program | undefined
  /** Whether it is for a spreadsheet. */
  readonly isSheet: boolean
}

/**
 * Results as a table whose columns are known before the first of them is read: their facts, and the inputs and variables of
 * the published flow. What else they hold stands in the two columns for others.
 */
export function exportTable({ batches, program, isSheet }: ResultBatches): Table {
  const savedIn = savedAnswers(program)
  const kept = facts.filter(([name]) => !(isSheet && notInSheets.has(name)))
  const own = distinct(program ? declaredColumns(program, savedIn) : [])
  const ofFacts = kept.map(([name]): Column => ({ kind: 'fact', key: name, header: name }))
  const headers = withDistinctHeaders([...ofFacts, ...own]).map(({ header }) => header)
  const columns = headers.map((name, index) => ({ name, type: kept[index]?.[1] ?? 'text' }))
  const rowOf = (result: Result, describe: DescribeVisit): TableRow => {
    const cells = cellsOf(result, savedIn)
    const values = { ...factsOf(result, describe), ...othersOf(cells, own) }
    return [...kept.map(([name]) => values[name]), ...own.map(({ kind, key }) => cells[kind].get(key))]
  }
  async function* rowsOf(): AsyncGenerator<readonly TableRow[]> {
    for await (const { results, describe } of batches) yield results.map((result) => rowOf(result, describe))
  }
  return { columns, rows: rowsOf() }
}

function factsOf({ visit, ...result }: Result, describe: DescribeVisit): Record<string, unknown> {
  const { id, flowId, createdAt, updatedAt, hasStarted, isCompleted, locale, transcript, logs } = result
  return {
    ...{ id, flowId, createdAt, updatedAt, hasStarted, isCompleted, locale, transcript, logs },
    ...(visit && visitFacts(describe(visit))),
  }
}

function visitFacts({ flowId: atFlow, waitingSince, ...visit }: ReturnType<DescribeVisit>): object {
  return { ...visit, atFlow, waitingSince: waitingSince && Date.parse(waitingSince) }
}

function othersOf({ answer, variable }: Cells, own: readonly Column[]): Record<string, unknown> {
  const without = (cells: ReadonlyMap<string, string>, kind: Column['kind']) => {
    const known = new Set(own.flatMap((column) => (column.kind === kind ? [column.key] : [])))
    const left = [...cells].filter(([key]) => !known.has(key))
    return left.length > 0 ? Object.fromEntries(left) : undefined
  }
  return { otherAnswers: without(answer, 'answer'), otherVariables: without(variable, 'variable') }
}
