import type { TSchema } from '@sinclair/typebox'
import { blockUnion } from '../../../schemas/blocks/index.ts'
import { FlowDefinition } from '../../../schemas/flow.ts'
import { FlowTestFile } from '../../../schemas/flow-test.ts'
import { Mocks } from '../../../schemas/mocks.ts'
import { tagsOf } from '../../../schemas/tagged-union.ts'
import { credentialsFile } from '../../config/credentials/credential-schemas.ts'
import { keyDescriptions } from './key-descriptions.ts'
import { yamlFlow } from './yaml/yaml-flow.ts'

type Node = Readonly<Record<string, unknown>>

interface TaggedUnion extends Node {
  readonly oneOf: readonly TSchema[]
  readonly discriminator: object
}

interface Source {
  readonly title: string
  readonly of: (own: readonly TSchema[]) => object
  /** Whether texts may stand there as YAML has them: without quotes a few are numbers or truth values. */
  readonly isBare?: true
}

const sources: Readonly<Record<string, Source>> = {
  'flow.schema.json': { title: 'A flow', of: () => FlowDefinition },
  'flow-yaml.schema.json': { title: 'A flow in YAML', of: yamlFlow, isBare: true },
  'flowtest.schema.json': { title: 'Tests of a flow', of: () => FlowTestFile },
  'mocks.schema.json': { title: 'Answers in place of other systems', of: () => Mocks },
  'credentials.schema.json': { title: 'Accounts that flows may use', of: credentialsFile },
}

/** Names of the schemas for editors, by which they are served and stand in the package. */
export const schemaFileNames: readonly string[] = Object.keys(sources)

/** Text of a JSON schema (draft 7) of files that authors write, who have own block types; undefined for a name that is none of them. */
export function schemaFile(name: string, own: readonly TSchema[] = []): string | undefined {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (!source) return undefined
  const definitions: Record<string, Node> = {}
  const { $id: _, ...root } = source.of(own) as Node
  const place = { definitions, above: [], own }
  const parts = { ...(forEditors(root, place) as Node), definitions }
  return JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: source.title,
    ...(source.isBare ? (withBareTexts(parts) as Node) : parts),
  })
}

/** The same schema, where what is a number or a truth value without quotes is taken for the text that it is written as. */
function withBareTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withBareTexts)
  if (typeof node !== 'object' || node === null) return node
  const { type, ...rest } = node as Node
  const types = Array.isArray(type) ? type : [type]
  const widened = types.includes('string') && !('enum' in rest) && !('const' in rest)
  const entries = Object.entries(rest).map(([key, value]) => [
    key,
    asTheyAre.has(key) ? value : withBareTexts(value),
  ])
  return {
    ...(type !== undefined && {
      type: widened ? [...new Set([...types, 'number', 'boolean'])] : withBareTexts(type),
    }),
    ...Object.fromEntries(entries),
  }
}

interface Place {
  /** Named schemas by their names, filled on the way. */
  readonly definitions: Record<string, Node>
  /** Keys, and types of blocks, that stand above, the nearest first. */
  readonly above: readonly string[]
  readonly own: readonly TSchema[]
}

/** The same for editors: named schemas are described once, and what belongs to a tag holds under the condition of that tag. */
function forEditors(node: unknown, place: Place): unknown {
  if (Array.isArray(node)) return node.map((one) => forEditors(one, place))
  if (typeof node !== 'object' || node === null) return node
  const { $id: name, ...rest } = node as Node
  if (typeof name !== 'string') return eachOf(conditional(rest), place)
  const { definitions, own } = place
  if (!Object.hasOwn(definitions, name)) {
    // Named before it is looked into, as it may hold itself.
    definitions[name] = {}
    // A block of an unknown type runs as nothing: an editor should say so.
    const known = name === 'Block' ? (blockUnion(own)['anyOf'] as readonly Node[])[0] : rest
    definitions[name] =
      name === 'Block' ? (forEditors(known, place) as Node) : eachOf(conditional(rest), place)
  }
  return { $ref: `#/definitions/${name}` }
}

/** Keywords whose values are no schemas, and conditions, which are shown to nobody. */
const asTheyAre = new Set(['examples', 'enum', 'const', 'if'])

function eachOf(node: Node, place: Place): Node {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (asTheyAre.has(key)) return [key, value]
      return [key, key === 'properties' ? describeEach(value as Node, place) : forEditors(value, place)]
    }),
  )
}

/** A description of its own for every property that a schema leaves without one. */
function describeEach(properties: Node, { definitions, above, own }: Place): Node {
  const { const: only, enum: several = only === undefined ? [] : [only] } = (properties['type'] ?? {}) as Tag
  // The groups of a flow stand above nearly everything: what is further away says nothing about a key.
  const places = [...several, ...above.slice(0, 3)]
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const read = forEditors(schema, { definitions, above: [key, ...places], own }) as Node
      if ('$ref' in read || 'description' in read) return [key, read]
      const names = [...places.map((name) => `${name}.${key}`), key]
      const found = names.find((name) => Object.hasOwn(keyDescriptions, name))
      return [key, found === undefined ? read : { description: keyDescriptions[found], ...read }]
    }),
  )
}

interface Tag {
  readonly const?: string
  readonly enum?: readonly string[]
}

/** Editors complete and explain the one member whose tag stands there; of a `oneOf` they would report them all. */
function conditional(node: Node): Node {
  if (!('discriminator' in node)) return node
  const { oneOf, discriminator: _, ...rest } = node as TaggedUnion
  return {
    ...rest,
    properties: {
      type: { enum: oneOf.flatMap(tagsOf), description: 'Decides which other fields there are' },
    },
    allOf: oneOf.map((member) => ({
      if: { properties: { type: { enum: tagsOf(member) } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schemas
      then: member,
    })),
  }
}
