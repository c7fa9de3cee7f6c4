import type { Static } from '@sinclair/typebox'
import { Id, PartialObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

/** Every way to compare, by the name that definitions use. */
export const comparisonOperators = [
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

const Comparison = Type.Object({
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
})

/** A comparison of a variable with a value, and how several of them combine. */
export const Condition = PartialObject({
  logicalOperator: StringEnum(['AND', 'OR'], {
    description: 'Whether every comparison has to hold or one is enough. AND when there is none',
  }),
  comparisons: Type.Array(Comparison, { description: 'None at all never hold' }),
})
export type Condition = Static<typeof Condition>

/** When an item of an input is shown. */
export const DisplayCondition = PartialObject(
  {
    isEnabled: Type.Boolean({ description: 'Off unless true: the item is always shown' }),
    condition: Condition,
  },
  { description: 'The item is hidden where this does not hold' },
)
export type DisplayCondition = Static<typeof DisplayCondition>
