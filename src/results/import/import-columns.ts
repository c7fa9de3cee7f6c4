import type { Program } from '../../engine/model/program.ts'
import type { VariableDeclaration } from '../../engine/values/variables.ts'
import { answerLabel, answerVariable } from '../answer-label.ts'

/** Where the cells of a column belong: to the answers of a block, to a variable, or to both. */
export interface ColumnTarget {
  readonly blockId?: string
  readonly variable?: VariableDeclaration
}

/** `Contact (1)`, as tables name a column whose name is taken. */
const numbered = /^(.+) \((\d{1,3})\)$/

/** Tables say so of inputs that the flow has no more. */
const ofDeletedBlock = /^(\S+) \(deleted block\)$/

/**
 * Finds what each column of a table of results is of, by its name; undefined for none. Of columns with one name, each is of
 * another input or variable of that name, in the order of the flow.
 */
export function columnTargets(
  columns: readonly string[],
  program: Program,
): readonly (ColumnTarget | undefined)[] {
  const byName = targetsByName(program)
  const taken = new Set<ColumnTarget>()
  const take = (name: string, from: number): ColumnTarget | undefined => {
    const target = byName
      .get(name)
      ?.slice(from)
      .find((one) => !taken.has(one))
    if (target) taken.add(target)
    return target
  }
  // What says a name in full comes before what is only numbered.
  const exact = columns.map((column) => take(column.trim(), 0))
  return columns.map(
    (column, index) => exact[index] ?? numberedTarget(column.trim(), take) ?? ofBlock(column, program),
  )
}

function numberedTarget(
  column: string,
  take: (name: string, from: number) => ColumnTarget | undefined,
): ColumnTarget | undefined {
  const [, name, nth] = numbered.exec(column) ?? []
  return name === undefined ? undefined : take(name, Math.min(Number(nth), 1))
}

function ofBlock(column: string, { blocks }: Program): ColumnTarget | undefined {
  const [, deleted] = ofDeletedBlock.exec(column.trim()) ?? []
  if (deleted !== undefined) return { blockId: deleted }
  return blocks.get(column.trim())?.handler?.kind === 'input' ? { blockId: column.trim() } : undefined
}

/** Inputs before variables, each in the order of the flow; a variable that an input saves in once, with the first one. */
function targetsByName(program: Program): ReadonlyMap<string, readonly ColumnTarget[]> {
  const byName = new Map<string, ColumnTarget[]>()
  const add = (name: string, target: ColumnTarget) => byName.set(name, [...(byName.get(name) ?? []), target])
  const answered = new Set<string>()
  const declared = program.variables.all.filter(({ isSessionVariable }) => !isSessionVariable)
  for (const { id: blockId, handler } of program.blocks.values()) {
    if (handler?.kind !== 'input') continue
    const name = answerVariable(program, blockId)
    const variable = declared.find((one) => one.name === name)
    if (name === undefined) add(answerLabel(program, blockId) ?? blockId, { blockId })
    else if (!answered.has(name)) add(name, variable ? { blockId, variable } : { blockId })
    if (name !== undefined) answered.add(name)
  }
  for (const variable of declared) if (!answered.has(variable.name)) add(variable.name, { variable })
  return byName
}
