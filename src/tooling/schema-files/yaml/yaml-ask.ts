import { isInputType, shortNameOf } from '../../../definition/yaml-form/block-shapes.ts'
import {
  type BlockParts,
  closedMap,
  type Nodes,
  refTo,
  type SchemaNode,
  type StepKind,
  under,
} from './block-parts.ts'
import { besides, choices, scalar } from './yaml-ways.ts'

const keys = ['ask', 'as', 'choices']

const needs = (key: string) => ({ required: [key] })

/** The `as` of an input, which some are without it. */
function isInput(type: string): SchemaNode {
  const said = { required: ['as'], properties: { as: { enum: namesOf(type) } } }
  const unsaid: SchemaNode | undefined = {
    'text input': { not: { anyOf: [needs('as'), needs('choices')] } },
    'choice input': { ...needs('choices'), not: needs('as') },
  }[type]
  return unsaid ? { anyOf: [said, unsaid] } : said
}

const namesOf = (type: string) => [...new Set([shortNameOf(type), type])]

/** A question with its input, whose options are those of the input that `as` names. */
export function askStep(parts: ReadonlyMap<string, BlockParts>): StepKind {
  const inputs = [...parts.values()].filter(({ type }) => isInputType(type))
  const shared: Nodes = {
    ask: { type: [...scalar, 'null'], description: 'The question, in Markdown' },
    as: {
      enum: [...new Set(inputs.flatMap(({ type }) => namesOf(type)))],
      description: 'What is asked for. Default: a text, or a choice where there are choices',
    },
    into: { type: 'string', description: 'Name of the variable that receives the answer' },
    ...besides,
  }
  const again = Object.fromEntries(Object.keys(shared).map((key) => [key, refTo('Ask', key)]))
  const typed = inputs.map((input) =>
    under(isInput(input.type), closedMap({ ...again, ...input.each, ...choicesOf(input) })),
  )
  return {
    keys,
    takes: [...Object.keys(shared), ...inputs.flatMap(({ each }) => Object.keys(each)), 'choices'],
    body: { $id: 'Ask', properties: shared, allOf: typed },
    description: 'A question in Markdown, and the input behind it',
  }
}

function choicesOf({ type, items }: BlockParts): Nodes {
  if (!items) return {}
  const name = `${shortNameOf(type).replace(' ', '-')}-item`
  if (type !== 'cards') return { choices: choices({ name, items }) }
  const path = Object(items['paths'])['items'].properties as Nodes
  return {
    choices: choices({ name, items, more: { buttons: choices({ name: 'card-button', items: path }) } }),
  }
}
