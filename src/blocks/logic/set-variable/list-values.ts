import type { RunContext } from '../../../engine/model/block-handler.ts'
import { isFilled, type Value } from '../../../engine/values/value.ts'
import { type CompileValueSource, computedValue, write } from './source.ts'

/** The variable's list with one more text behind it; a text that it held becomes the first element. */
export const appendedList: CompileValueSource = ({ variableId, item = '' }, compiling) => {
  const template = compiling.text(item, '/options/item')
  return (context) => {
    const list = listOf(context.variables.get(variableId)) ?? []
    return write(context, { variableId, value: [...list, context.text(template)] })
  }
}

/** The variable's list without one of its ends, which another variable may receive. */
export function shortenedList(end: 'first' | 'last'): CompileValueSource {
  return ({ variableId, saveItemInVariableId }) =>
    (context) => {
      const list = listOf(context.variables.get(variableId))
      if (!list) return write(context, { variableId, value: null })
      const value = end === 'first' ? list.slice(1) : list.slice(0, -1)
      const item = list.at(end === 'first' ? 0 : -1) ?? null
      const taken = saveItemInVariableId ? [{ variableId: saveItemInVariableId, value: item }] : []
      return write(context, { variableId, value }, taken)
    }
}

/** The element of one list that stands where another list holds a text. */
export const mappedItem = computedValue((context, { mapListItemParams: params = {} }) => {
  const item = read(context, params.baseItemVariableId)
  const base = read(context, params.baseListVariableId)
  const target = read(context, params.targetListVariableId)
  if (typeof item !== 'string' || !isFilled(item) || !isList(base) || !isList(target)) return null
  const index = base.indexOf(item)
  return index === -1 ? null : target[index]
})

function read({ variables }: RunContext, variableId: string | undefined): Value {
  return (variableId !== undefined && variables.get(variableId)) || null
}

const isList = (value: Value): value is readonly (string | null)[] => Array.isArray(value)

function listOf(value: Value | undefined): readonly (string | null)[] | undefined {
  return typeof value === 'string' ? [value] : (value ?? undefined)
}
