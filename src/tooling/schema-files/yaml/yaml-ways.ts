import { ConditionBlock } from '../../../../schemas/blocks/logic.ts'
import { spelledOperators } from '../../../definition/yaml-text/condition-text.ts'
import { closedMap, type Nodes, refTo, type SchemaNode, under, withoutNeededIds } from './block-parts.ts'

/** A text, as it may be written without quotes. */
export const scalar = ['string', 'number', 'boolean']

const place: Nodes = {
  group: { type: 'string', description: 'Title of the group' },
  step: { type: 'string', description: 'Id of a step in it. Default: its first step' },
}

/** A place where something leads, and not through steps of its own. */
export const target: SchemaNode = {
  $id: 'Target',
  ...closedMap(place, { type: [...scalar, 'object'], required: ['group'] }),
  description: 'Title of a group, `Title > step` with the id of a step, or `{ group, step }`',
}

/** A place where something leads, or steps that lead there. */
export const way: SchemaNode = {
  $id: 'Way',
  ...closedMap(place, { type: [...scalar, 'array', 'object'], required: ['group'], items: refTo('Step') }),
  description:
    'Title of a group, `Title > step`, `{ group, step }`, or a list of steps, behind which it goes on below',
}

const wholeCondition = withoutNeededIds(
  Object(ConditionBlock.properties.items)['items'].properties.content,
) as SchemaNode

export const conditionSchema: SchemaNode = {
  $id: 'Condition',
  type: ['string', 'object'],
  description: `Such as \`Age >= 18 and Plan is not "basic"\`: ${spelledOperators}; or \`{ logicalOperator, comparisons }\``,
  examples: ['Age >= 18'],
  properties: wholeCondition['properties'],
}

/** Keys of any step: its id, where it leads, and what lint passes over. */
export const ofAnyStep: Nodes = {
  id: { type: 'string', description: 'Opaque identifier. Default: made of what stands here' },
  to: target,
  lint: {
    ...closedMap({
      ignore: {
        type: 'array',
        items: { type: 'string' },
        description: 'Codes of findings that are not reported here',
      },
    }),
    description: 'What lint passes over here',
  },
}

export const besides: Nodes = Object.fromEntries(
  Object.keys(ofAnyStep).map((key) => [key, refTo('Step', key)]),
)

interface ChoiceKind {
  readonly name: string
  readonly items: Nodes
  readonly more?: Nodes
}

/** Choices of one kind of input: a label, a label with a way, or a map. */
export function choices({ name, items, more = {} }: ChoiceKind): SchemaNode {
  const { id: _, blockId: __, paths: ___, ...options } = withoutNeededIds(items) as Nodes
  const whole: Nodes = {
    label: { type: 'string', description: 'What the visitor reads' },
    to: way,
    // biome-ignore lint/suspicious/noThenProperty: a key of the form
    then: way,
    when: conditionSchema,
    ...besidesOf('id'),
    ...options,
    ...more,
  }
  const known = { anyOf: Object.keys(whole).map((key) => ({ required: [key] })) }
  const one: SchemaNode = {
    $id: name,
    type: [...scalar, 'object'],
    description: 'A label, `label: where it goes`, or a map with `label`',
    ...under(
      { type: 'object', minProperties: 1, maxProperties: 1, not: known },
      { additionalProperties: way },
    ),
    else: { properties: whole, additionalProperties: false },
  }
  return { type: 'array', items: one, description: 'What the visitor chooses from, in this order' }
}

/** Some of the keys that any step has. */
export const besidesOf = (...names: readonly string[]): Nodes =>
  Object.fromEntries(names.map((name) => [name, besides[name] as SchemaNode]))
