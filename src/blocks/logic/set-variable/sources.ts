import type { SetVariableBlock, SetVariableType } from '../../../../schemas/blocks/logic.ts'
import { deviceType, momentOfTheDay } from './client-values.ts'
import { customValue } from './custom-value.ts'
import { momentValue } from './date-values.ts'
import { randomId, resultId } from './id-values.ts'
import { appendedList, mappedItem, shortenedList } from './list-values.ts'
import { type CompileValueSource, computedValue, write } from './source.ts'

/** The visitor's contact, which only a messenger knows. */
const contactValue = computedValue(() => null)

const transcript: CompileValueSource =
  ({ variableId }) =>
  (context) =>
    write(context, { variableId, value: context.transcript.join('\n\n'), isSessionVariable: true })

/** Compilers of values by their type. */
export const sources: Readonly<Record<SetVariableType, CompileValueSource>> = {
  Custom: customValue,
  Empty: computedValue(() => null),
  'Append value(s)': appendedList,
  Pop: shortenedList('last'),
  Shift: shortenedList('first'),
  'Map item with same index': mappedItem,
  'Environment name': computedValue(() => 'web'),
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
  'Phone number': contactValue,
  'Contact name': contactValue,
  'Referral Click ID': contactValue,
  'Referral Source ID': contactValue,
}

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
