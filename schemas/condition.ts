import type { Static } from '@sinclair/typebox'
import { Id, PartialObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

/** Every way to compare, by the name that definitions use. */
const comparisonOperators = [
  'Equal to',
  'Not equal',
  'Contains',
  'Does not contain',
  'Greater than',
  'Less than',
  'Greater or equal to',
  'Less or equal to',
  'Is set',
  'Is empty',
  'Starts with',
  'Ends with',
  'Matches regex',
  'Does not match regex',
] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

const closed = { additionalProperties: false }

/** A comparison of a variable with a value, and how several of them combine. */
export const Condition = condition({})
export type Condition = Static<typeof Condition>

/** When an item of an input is shown. */
export const DisplayCondition = displayCondition({})
export type DisplayCondition = Static<typeof DisplayCondition>

/** Condition under which an item of an input is shown, as part of a response. */
export const ShownDisplayCondition = displayCondition(closed)

function displayCondition(options: object) {
  const properties = {
    isEnabled: Type.Boolean({ description: 'Off unless true: the item is always shown' }),
    condition: condition(options),
  }
  return PartialObject(properties, { ...options, description: 'The item is hidden where this does not hold' })
}

function condition(options: object) {
  const comparison = Type.Object(
    {
      id: Id,
      variableId: Type.Optional(Type.String({ description: 'The variable to compare' })),
      comparisonOperator: Type.Optional(StringEnum(comparisonOperators)),
      value: Type.Optional(
        Type.String({
          description:
            'What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags',
          examples: ['18', '{{Limit}}', '/^[a-z]+$/i'],
        }),
      ),
    },
    options,
  )
  return PartialObject(
    {
      logicalOperator: StringEnum(['AND', 'OR'], {
        description: 'Whether every comparison has to hold or one is enough. AND when there is none',
      }),
      comparisons: Type.Array(comparison, { description: 'None at all never hold' }),
    },
    options,
  )
}
