import type { ResultImport, ResultImportBody } from '../../../schemas/result-import.ts'
import type { Program } from '../../engine/model/program.ts'
import { Mask, sensitiveTexts } from '../../engine/values/sensitive-values.ts'
import { invalidInput, type Problem, ServiceError } from '../../lib/errors.ts'
import type { ResultAnswer, ResultUpdate, ResultVariable } from '../../stores/result-store.ts'
import { maskedUpdate } from '../masked-result.ts'
import type { ResultsDependencies } from '../results-dependencies.ts'
import { type ColumnTarget, columnTargets } from './import-columns.ts'
import { importedId } from './imported-id.ts'

/** Dependencies of imports beside those of reading. */
export interface ImportDependencies extends Pick<ResultsDependencies, 'results' | 'ports'> {
  /** Whether results outlive the process. */
  readonly keepsResults: boolean
}

interface ImportTerms extends ImportDependencies {
  /** Is told how many rows were kept, where any were, also when the store has failed after them. */
  note(imported: number): Promise<void>
}

type Row = ResultImportBody['rows'][0]

/** A moment that names its zone: what has none would be read in that of this machine. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/** Cells that are read and kept at once: to mask as many that are all personal takes up to a tenth of a second. */
const cellsAtOnce = 500

/**
 * Keeps rows of a table as results of a flow, the earliest first. Nothing is counted, and no other system is told. Throws
 * BAD_REQUEST for rows that can't be read, and for columns of which none is the flow's.
 */
export async function importResults(
  { columns, rows }: ResultImportBody,
  program: Program,
  { results, ports, keepsResults, note }: ImportTerms,
): Promise<ResultImport> {
  if (!keepsResults) throw notKept()
  const targets = columnTargets(columns, program)
  if (targets.every((target) => target === undefined)) throw noColumn()
  const now = ports.now()
  const problems = rows.flatMap((row, index) => problemsOf(row, { index, width: columns.length, now }))
  if (problems.length > 0) throw invalidInput(problems)
  const current = rows.filter((row) => !isOutlived(row, program, now)).sort(byTime)
  const rowsAtOnce = Math.max(1, Math.floor(cellsAtOnce / columns.length))
  let imported = 0
  try {
    for (let first = 0; first < current.length; first += rowsAtOnce) {
      await ports.nextTurn()
      const part = current.slice(first, first + rowsAtOnce).map((row) => updateOf(row, targets, program))
      imported += await results.add(program.id, part)
    }
  } finally {
    if (imported > 0) await note(imported)
  }
  return {
    imported,
    known: current.length - imported,
    outlived: rows.length - current.length,
    unmatched: columns.filter((_, index) => targets[index] === undefined),
  }
}

function problemsOf(
  { createdAt, cells }: Row,
  { index, width, now }: { readonly index: number; readonly width: number; readonly now: number },
): Problem[] {
  const begun = moment.test(createdAt) ? Date.parse(createdAt) : Number.NaN
  const at = (part: string, message: string) => [{ pointer: `/rows/${index}/${part}`, message }]
  if (cells.length !== width) return at('cells', `must have ${width} cells, one for each column`)
  if (Number.isNaN(begun)) return at('createdAt', 'must be an ISO 8601 moment with its zone')
  return begun > now ? at('createdAt', 'must not lie in the future') : []
}

function updateOf(
  row: Row,
  targets: readonly (ColumnTarget | undefined)[],
  { id: flowId, retention }: Program,
): ResultUpdate {
  const { key, cells } = row
  const answers: ResultAnswer[] = []
  const variables: ResultVariable[] = []
  const keepsSecrets = retention?.secret !== undefined
  for (const [index, content] of cells.entries()) {
    const { blockId, variable } = targets[index] ?? {}
    if (content === '' || (variable?.sensitivity === 'secret' && !keepsSecrets)) continue
    if (blockId !== undefined) answers.push({ blockId, content })
    if (!variable) continue
    const { id, name, sensitivity } = variable
    variables.push({ id, name, value: content, ...(sensitivity && { sensitivity }) })
  }
  const id = importedId(flowId, key)
  // No session has this id: erasing the result erases no conversation.
  const facts = { id, flowId, now: timeOf(row), lastChatSessionId: id, hasStarted: true }
  return withMask({ ...facts, answers, variables, ...(retention && { retention }) })
}

function withMask(update: ResultUpdate): ResultUpdate {
  const values = (update.variables ?? []).flatMap(({ name, value, sensitivity }) =>
    sensitivity ? sensitiveTexts({ name, sensitivity }, value) : [],
  )
  return values.length > 0 ? maskedUpdate(update, new Mask(values)) : update
}

const timeOf = ({ createdAt }: Row) => Date.parse(createdAt)

const byTime = (one: Row, other: Row) => timeOf(one) - timeOf(other)

const isOutlived = (row: Row, { retention }: Program, now: number) =>
  timeOf(row) + Math.min(retention?.results ?? Infinity, retention?.unfinished ?? Infinity) <= now

const noColumn = () =>
  invalidInput([
    { pointer: '/columns', message: 'none is the name of a variable, a group with an input, or an input' },
  ])

const notKept = () =>
  new ServiceError(
    'CONFLICT',
    'Results end with this process: set DATA_DIR or DATABASE_URL before any are imported',
  )
