import type { TSchema } from '@sinclair/typebox'
import { eventSchemas, FlowDefinition, formatVersions, Variable } from '../../../../schemas/flow.ts'
import { tagsOf } from '../../../../schemas/tagged-union.ts'
import { mainOptionsOfEvents } from '../../../definition/yaml-form/block-shapes.ts'
import { blockParts, closedMap, type Nodes, refTo, type SchemaNode, under } from './block-parts.ts'
import { stepSchema } from './yaml-steps.ts'
import { besides, besidesOf, scalar, target } from './yaml-ways.ts'

const flow = FlowDefinition.properties as unknown as Nodes

/** Parts that stand as they do in JSON. */
const { version: _, id: __, groups: ___, events: ____, variables: _____, ...plain } = flow

/** Schema of a flow in YAML (docs/yaml.md). */
export function yamlFlow(own: readonly TSchema[]): object {
  const step = stepSchema(blockParts(own))
  return closedMap(
    {
      flow: { type: 'string', description: 'Id of the flow' },
      ...plain,
      version: {
        enum: formatVersions.flatMap((name) => [name, Number(name)]),
        description: 'Version of the format. Default 6.1',
      },
      variables,
      start,
      events: { type: 'array', items: event, description: 'What starts a group beside the start' },
      groups: groupsOf(step),
    },
    { required: ['flow', 'groups'] },
  )
}

const { id: ______, ...variableOptions } = Variable.properties as unknown as Nodes

const variable: SchemaNode = closedMap(
  { ...besidesOf('id', 'lint'), ...variableOptions },
  {
    type: [...scalar, 'array', 'null', 'object'],
    description: 'Its first value, or a map with `value`, `scope`, `sensitivity` and the like',
  },
)

const variables: SchemaNode = {
  type: ['array', 'object', 'null'],
  items: { type: scalar },
  additionalProperties: variable,
  description: 'Names of variables, or by name the first value of each',
}

const edge: Nodes = {
  outgoingEdgeId: { type: 'string', description: 'The edge that it leads along, of those under `edges`' },
}

const start: SchemaNode = {
  ...closedMap(
    { ...besidesOf('id', 'lint'), ...edge, to: target, ...placeOf(target) },
    { type: [...scalar, 'object', 'null'] },
  ),
  description: 'Where the flow starts. Default: the first group; nothing: nowhere',
}

function placeOf(node: SchemaNode): Nodes {
  return node['properties'] as Nodes
}

const others = eventSchemas.filter((schema) => !tagsOf(schema).includes('start'))

const eventKeys: Nodes = {
  command: { description: 'A command that the client says' },
  idle: { description: 'A duration in which the visitor was silent' },
  reply: { description: 'Each answer of the visitor' },
  invalidReply: { description: 'Each answer that is refused' },
  expire: { description: 'The end of the time that a session has' },
}

const event: SchemaNode = {
  type: 'object',
  description: 'A map of one type: command, idle, reply, invalidReply or expire',
  allOf: [
    ...others.flatMap((schema) =>
      tagsOf(schema).map((type) => under({ required: [type] }, eventOf(type, schema))),
    ),
    {
      if: { anyOf: Object.keys(eventKeys).map((key) => ({ required: [key] })) },
      else: { properties: { ...eventKeys, ...besides }, additionalProperties: false, minProperties: 1 },
    },
  ],
}

function eventOf(type: string, schema: TSchema): SchemaNode {
  const options = (schema['properties'].options?.properties ?? {}) as Nodes
  const {
    description: _,
    type: short = ['null', 'boolean'],
    ...more
  } = Object(options[mainOptionsOfEvents[type] ?? ''])
  return closedMap({
    ...options,
    ...besidesOf('id', 'lint', 'to'),
    ...edge,
    [type]: { ...eventKeys[type], ...more, type: [short, 'object'].flat() },
  })
}

function groupsOf(step: SchemaNode): SchemaNode {
  const steps = {
    type: ['array', 'null'],
    items: refTo('Step'),
    description: 'Steps that run one after the other',
  }
  const group = closedMap(
    {
      steps,
      title: { type: 'string', description: 'Title of the group. Default: its key' },
      ...besidesOf('id', 'lint'),
    },
    { type: ['array', 'object', 'null'], items: step, description: 'Its steps, or a map with `steps`' },
  )
  return { type: 'object', additionalProperties: group, description: 'Groups by their titles' }
}
