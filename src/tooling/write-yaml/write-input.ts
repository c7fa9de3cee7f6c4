import { labelKeys, shortNameOf, typesByWord } from '../../definition/yaml-form/block-shapes.ts'
import { writeChoices } from './write-choices.ts'
import { type Loose, stepFields, type Writing, withNames } from './writing.ts'

/** Keys that mean something in a step, whatever its block. */
export const reservedStepKeys: ReadonlySet<string> = new Set([
  ...'id to lint items outgoingEdgeId type options content ask as into choices say text'.split(' '),
  ...'set if then else cases go end request'.split(' '),
  ...typesByWord.keys(),
])

/** An input as a step without its question; undefined where it has what such a step can not say. */
export function writeInput(block: Loose, writing: Writing): Loose | undefined {
  const { id: _id, type, outgoingEdgeId: _edge, lint: _lint, options = {}, items, ...more } = block
  const { variableId, ...rest } = options as { variableId?: unknown }
  const labelKey = labelKeys[type as string]
  const kind = shortNameOf(type as string)
  const isOdd = Object.keys(more).length > 0 || Object.keys(rest).some((key) => reservedStepKeys.has(key))
  if (isOdd || (items !== undefined) !== (labelKey !== undefined)) return undefined
  const choices = labelKey && writeChoices(items as { id: string }[], labelKey, writing)
  if (labelKey && !choices) return undefined
  const isNamed = typeof variableId === 'string' && writing.names.declares(variableId)
  return {
    as: kind,
    ...(isNamed && { into: writing.names.variable(variableId) }),
    ...(variableId !== undefined && !isNamed && { variableId }),
    ...(withNames(rest, writing.names) as Loose),
    ...stepFields(block, writing),
    ...(choices && (choices.length > 0 || !('dynamicVariableId' in rest)) && { choices }),
  }
}
