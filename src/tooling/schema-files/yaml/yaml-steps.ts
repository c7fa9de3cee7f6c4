import { shortFormOf, typesByWord } from '../../../definition/yaml-form/block-shapes.ts'
import {
  type BlockParts,
  closedMap,
  type Nodes,
  refTo,
  type SchemaNode,
  type StepKind,
  under,
} from './block-parts.ts'
import { askStep } from './yaml-ask.ts'
import { besides, besidesOf, conditionSchema, ofAnyStep, scalar, target, way } from './yaml-ways.ts'

type Parts = ReadonlyMap<string, BlockParts>

const kind = (key: string, properties: Nodes, more: SchemaNode = {}): StepKind => ({
  keys: [key],
  body: closedMap(properties, more),
  takes: Object.keys(properties),
  description: String(properties[key]?.['description'] ?? key),
})

/** A step, told by the key that stands there. */
export function stepSchema(parts: Parts): SchemaNode {
  const kinds = [
    askStep(parts),
    kind('say', { say: { type: scalar, description: 'A text in Markdown' }, ...besides }),
    setStep(parts),
    ifStep,
    casesStep,
    kind('go', { go: { ...target, $id: 'Go', description: 'Where it goes on; the last step of its list' } }),
    kind('end', { end: { type: ['null', 'boolean'], description: 'The path ends here' } }),
    requestStep(parts),
    ...Array.from(typesByWord, ([key, type]) => blockStep(key, type, parts)),
    ...[...parts.keys()].map((type) => blockStep(type, type, parts)),
    rawStep(parts),
  ]
  const keys = kinds.flatMap((one) => one.keys.map((key) => [key, { description: one.description }] as const))
  return {
    $id: 'Step',
    type: [...scalar, 'object'],
    description:
      'A text in Markdown, or a map in which one key says what it is: ask, say, set, if, go, … or the type of a block',
    properties: ofAnyStep,
    allOf: [
      ...kinds.map((one) => under(isOfKind(one, kinds), one.body)),
      {
        if: { type: 'object', anyOf: [...keys.map(([key]) => ({ required: [key] })), ownType] },
        else: noKind(keys),
      },
    ],
  }
}

/** Blocks of the operator, of whose options this schema may know nothing. */
const ownType = { not: { propertyNames: { not: { pattern: '^[a-z][a-z0-9-]*/[a-z]' } } } }

const noKind = (keys: readonly (readonly [string, SchemaNode])[]): SchemaNode => ({
  properties: { ...Object.fromEntries(keys), ...besides },
  additionalProperties: false,
})

/** Where a key is an option of other steps too, those go first. */
function isOfKind({ keys, takes }: StepKind, all: readonly StepKind[]): SchemaNode {
  const others = all
    .filter((other) => !other.keys.some((key) => takes.includes(key)))
    .filter((other) => other.takes.some((key) => keys.includes(key)))
    .flatMap((other) => other.keys.map((key) => ({ required: [key] })))
  return {
    type: 'object',
    anyOf: keys.map((key) => ({ required: [key] })),
    ...(others.length > 0 && { not: { anyOf: others } }),
  }
}

/** A map of texts. */
const texts = (description: string): SchemaNode => ({
  type: 'object',
  additionalProperties: { type: scalar },
  description,
})

const partsAt = (parts: Parts, type: string) => parts.get(type) as BlockParts

/** The options of a block as the value of a key, in full or by the one that stands for itself. */
function mainValue(parts: BlockParts, description: string): SchemaNode {
  const options = Object(parts.options['properties'])
  const { type: short = [], minimum, maximum } = Object(options[shortFormOf(parts.type)?.main ?? ''])
  const whole = { text: ['string'], Return: ['boolean'] }[parts.type] ?? []
  return {
    type: [short, whole, 'object', 'null'].flat(),
    ...(minimum !== undefined && { minimum, maximum }),
    ...under({ type: 'object' }, parts.options),
    description,
  }
}

const items: Nodes = {
  items: {
    type: 'array',
    items: { type: 'object' },
    description: 'Its items as in JSON, which may have `to`',
  },
}

function blockStep(key: string, type: string, all: Parts): StepKind {
  const parts = partsAt(all, type)
  const main = mainValue(parts, `The block \`${type}\`: its options, which may stand beside it as well`)
  const into = intoOf(parts)
  // Of blocks whose items have short forms.
  const { ways = [] } = key === type ? {} : (shortFormOf(type) ?? {})
  return kind(key, {
    ...parts.each,
    ...(into && { into }),
    ...(parts.items && items),
    ...Object.fromEntries(ways.map((name) => [name, way])),
    ...besides,
    [key]: main,
  })
}

/** `into`, where a block keeps something in variables. */
function intoOf({ each }: BlockParts): SchemaNode | undefined {
  const takesMap = 'responseMapping' in each || 'responseVariableMapping' in each
  if (!takesMap && !('variableId' in each)) return undefined
  const type = [...('variableId' in each ? ['string'] : []), ...(takesMap ? ['object'] : [])]
  const what = takesMap ? 'By variable what goes into it' : 'Name of the variable that it goes into'
  return { type, additionalProperties: { type: scalar }, description: what }
}

function setStep(parts: Parts): StepKind {
  const { options } = partsAt(parts, 'Set variable')
  const value = {
    type: [...scalar, 'array', 'null', 'object'],
    ...under({ type: 'object' }, options),
    description: 'An expression, a value, a map of options, or nothing, which empties the variable',
  }
  const set = { type: 'object', additionalProperties: value, description: 'By variable its expression' }
  return kind('set', { set, ...besides })
}

const forms = [{ required: ['to'] }, { required: ['then'] }]

const branch: Nodes = {
  if: conditionSchema,
  to: way,
  // biome-ignore lint/suspicious/noThenProperty: a key of the form
  then: way,
}

const otherwise: Nodes = { else: way }

const ifStep = kind('if', { ...branch, ...otherwise, ...besidesOf('id', 'lint') }, { anyOf: forms })

const casesStep = kind('cases', {
  cases: {
    type: 'array',
    items: closedMap({ ...branch, ...besidesOf('id') }, { required: ['if'], anyOf: forms }),
    description: 'Cases in this order, of which the first that holds counts',
  },
  ...otherwise,
  ...besidesOf('id', 'lint'),
})

function requestStep(all: Parts): StepKind {
  const parts = partsAt(all, 'Webhook')
  const name = String(parts.options['$id'])
  return kind('request', {
    request: { type: 'string', description: 'Address that is asked; may hold placeholders' },
    method: refTo(name, 'webhook', 'method'),
    headers: texts('Headers by their names'),
    query: texts('Parameters behind the address, by their names'),
    body: { description: 'What is sent: a text, or JSON' },
    into: texts('By variable what of the response goes into it, such as `data.name`'),
    ...parts.each,
    ...besides,
  })
}

/** A whole block as it stands in JSON. */
function rawStep(parts: Parts): StepKind {
  const all = [...parts.values()]
  const properties = {
    ...Object.assign({}, ...all.map(({ others }) => others)),
    type: { enum: all.map(({ type }) => type), description: 'Type of the block, which stands as in JSON' },
    content: { description: 'What is shown' },
    options: { description: 'What the block does' },
    outgoingEdgeId: { type: 'string', description: 'The edge that it leads along, of those under `edges`' },
    ...items,
    ...besides,
  }
  const typed = all.map(({ type, holder, options }) =>
    under(
      { properties: { type: { const: type } } },
      { properties: { [holder]: refTo(String(options['$id'])) } },
    ),
  )
  return kind('type', properties, { allOf: typed })
}
