import type { SetVariableBlock, SetVariableType } from '../../../../schemas/blocks/logic.ts'
import type { RunContext } from '../../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import { visibleError } from '../../../engine/model/log-entry.ts'
import { isFilled, isHeld, type Value } from '../../../engine/values/value.ts'
import { formatInZone } from '../../../engine/values/zoned-time.ts'
import { customValue, deviceType, momentOfTheDay } from './custom-value.ts'
import { type CompileValueSource, computedValue, effectValue, write } from './source.ts'

/** Of the person whom the conversation is held with, where its start has named one. */
const contactValue = (field: 'id' | 'name' | 'email' | 'phone') =>
  computedValue(({ contact }) => contact?.[field] ?? null)

const transcript: CompileValueSource =
  ({ variableId }) =>
  (context) =>
    write(context, { variableId, value: context.transcript.join('\n\n'), isSessionVariable: true })

const clientTypes: ReadonlySet<SetVariableType> = new Set(['Device type', 'Moment of the day'])

/** Whether the client works the value out, so that the session waits for it. */
export function isClientSide({
  type = 'Custom',
  ...options
}: NonNullable<SetVariableBlock['options']>): boolean {
  const isClientCode =
    type === 'Custom' && options.isExecutedOnClient === true && !!options.expressionToEvaluate
  return isClientCode || clientTypes.has(type)
}

/**
 * 24 hours rather than a calendar day: where clocks change it is an hour off (docs/behaviour/logic.md, "Set variable").
 */
const dayMs = 86_400_000

/** The present moment, or the same a day away: in UTC, or in the zone that the block names. */
function momentValue({ days, isZoned }: { days: number; isZoned: boolean }): CompileValueSource {
  return ({ variableId, timeZone = '' }, compiling) => {
    const template = compiling.text(isZoned ? timeZone : '', '/options/timeZone')
    return function* (context) {
      const zone = context.text(template).trim()
      const moment = (yield* ask({ type: 'now' })) + days * dayMs
      const zoned = zone === '' ? undefined : formatInZone(moment, zone)
      const value = zoned ?? new Date(moment).toISOString()
      const step = write(context, { variableId, value })
      if (zone === '' || zoned !== undefined) return step
      const description = `Time zone "${zone}" is unknown: UTC is used instead`
      return {
        ...step,
        logs: [visibleError({ context: 'Set variable', description })],
      }
    }
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const lettersAndDigits = `${letters}0123456789`
const idLength = 24

/** An id that never begins with a digit, so that it can stand wherever a name can. */
const randomId = effectValue(function* () {
  let id = yield* drawFrom(letters)
  while (id.length < idLength) id += yield* drawFrom(lettersAndDigits)
  return id
})

function* drawFrom(alphabet: string): Effects<string> {
  const drawn = yield* ask({ type: 'random' })
  return alphabet.charAt(Math.floor(drawn * alphabet.length))
}

/** A preview has no result: it gets a fresh id each time. */
const resultId = effectValue(function* (context) {
  return context.resultId ?? (yield* ask({ type: 'id' }))
})

/** The variable's list with one more text behind it; a text that it held becomes the first element. */
const appendedList: CompileValueSource = ({ variableId, item = '' }, compiling) => {
  const template = compiling.text(item, '/options/item')
  return (context) => {
    const list = listOf(context.variables.get(variableId)) ?? []
    return write(context, { variableId, value: [...list, context.text(template)] })
  }
}

/** The variable's list without one of its ends, which another variable may receive. */
function shortenedList(end: 'first' | 'last'): CompileValueSource {
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
const mappedItem = computedValue((context, { mapListItemParams: params = {} }) => {
  const item = readVariable(context, params.baseItemVariableId)
  const base = readVariable(context, params.baseListVariableId)
  const target = readVariable(context, params.targetListVariableId)
  if (typeof item !== 'string' || !isFilled(item) || !isList(base) || !isList(target)) return null
  const index = base.indexOf(item)
  return index === -1 ? null : target[index]
})

function readVariable({ variables }: RunContext, variableId: string | undefined): Value {
  return (variableId !== undefined && variables.get(variableId)) || null
}

const isList = (value: Value): value is readonly (string | null)[] => Array.isArray(value)

function listOf(value: Value | undefined): readonly (string | null)[] | undefined {
  if (!isHeld(value)) return undefined
  return typeof value === 'string' ? [value] : value
}

/** Compilers of values by their type. */
export const sources: Readonly<Record<SetVariableType, CompileValueSource>> = {
  Custom: customValue,
  Empty: computedValue(() => null),
  'Append value(s)': appendedList,
  Pop: shortenedList('last'),
  Shift: shortenedList('first'),
  'Map item with same index': mappedItem,
  'Environment name': computedValue(({ channel }) => channel?.messenger ?? 'web'),
  'Device type': deviceType,
  'Moment of the day': momentOfTheDay,
  Transcript: transcript,
  'Result ID': resultId,
  'User ID': resultId,
  'Random ID': randomId,
  Now: momentValue({ days: 0, isZoned: true }),
  Today: momentValue({ days: 0, isZoned: false }),
  Yesterday: momentValue({ days: -1, isZoned: true }),
  Tomorrow: momentValue({ days: 1, isZoned: true }),
  'Phone number': contactValue('phone'),
  'Contact name': contactValue('name'),
  'Contact ID': contactValue('id'),
  'Contact email': contactValue('email'),
  // Only a messenger knows them.
  'Referral Click ID': computedValue(({ channel }) => channel?.referral?.clickId ?? null),
  'Referral Source ID': computedValue(({ channel }) => channel?.referral?.sourceId ?? null),
}
