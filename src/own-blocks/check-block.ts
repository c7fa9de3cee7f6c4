import type { TSchema } from '@sinclair/typebox'
import { blockBase, itemBase } from '../../schemas/common.ts'
import { Mocks } from '../../schemas/mocks.ts'
import { Type } from '../../schemas/type.ts'
import { createAjv, createLazyValidator } from '../definition/lazy-validator.ts'
import { toProblems } from '../definition/problems.ts'
import type { BlockSchema } from '../engine/model/block-handler.ts'
import type { Block } from './kit/block-kit.ts'
import type { OwnBlockDefinition } from './own-context.ts'

/** Version of the kit that this runtime speaks. */
const kitVersion = 1

/** Owner and name, such as `acme/slack message`: built-in types have no slash. */
const ownType = /^[a-z0-9][a-z0-9-]{0,39}\/[a-z0-9][a-z0-9 -]{0,59}$/

const kinds = ['logic', 'integration', 'bubble', 'input']

type Given = Readonly<Record<string, unknown>>

/** Problems of an export that should be a block, each with the name of its property; empty for one that can be used. */
export function problemsOfBlock(given: unknown): readonly string[] {
  if (given === undefined)
    return ['has no default export: write `export default defineBlock({ … })`, of flow-runtime/blocks']
  if (!isObject(given)) return [`exports ${describe(given)} and no block: write defineBlock({ … })`]
  const ofKit = problemOfKit(given['kit'])
  // Of another kit, nothing else is known.
  if (ofKit !== undefined) return [ofKit]
  return [
    ...problemsOfName(given),
    ...problemsOfSchema(given['schema']),
    ...problemsOfCode(given),
    ...problemsOfRest(given),
  ]
}

function problemOfKit(kit: unknown): string | undefined {
  if (kit === kitVersion) return undefined
  if (!Number.isInteger(kit)) return `/kit must be ${kitVersion}: it is ${describe(kit)}`
  return (kit as number) > kitVersion
    ? `/kit is ${kit}, and this version of flow-runtime speaks kit ${kitVersion}: update flow-runtime, or use the block as it was for kit ${kitVersion}`
    : `/kit is ${kit}, which no version speaks any more: write the block for kit ${kitVersion} (docs/own-blocks.md, "Versions of the kit")`
}

const properties = [
  'kit',
  'type',
  'kind',
  'description',
  'schema',
  'run',
  'view',
  'reply',
  'marks',
  'mock',
  'cases',
]

function* problemsOfName(given: Given): Generator<string> {
  const { type, kind } = given
  for (const name of Object.keys(given))
    if (!properties.includes(name)) yield `/${name} is not known: a block has ${properties.join(', ')}`
  if (typeof type !== 'string')
    yield `/type must be a text such as "acme/slack message": it is ${describe(type)}`
  else if (!type.includes('/'))
    yield `/type must name its owner before a slash: "acme/${type}" in place of "${type}"`
  else if (!ownType.test(type))
    yield `/type must be owner/name in small letters, digits, hyphens and, in the name, spaces: it is ${describe(type)}`
  if (!kinds.includes(kind as string))
    yield `/kind must be one of ${kinds.join(', ')}: it is ${describe(kind)}`
}

function* problemsOfSchema(schema: unknown): Generator<string> {
  if (!isObject(schema) || schema['type'] !== 'object' || !isObject(schema['properties'])) {
    yield `/schema must be Type.Object({ … }), of the options: it is ${describe(schema)}`
    return
  }
  try {
    createAjv().compile(schema)
  } catch (error) {
    yield `/schema can not be used: ${(error as Error).message}`
  }
}

function* problemsOfCode(given: Given): Generator<string> {
  const { kind, run, view, reply } = given
  const isShown = kind === 'bubble' || kind === 'input'
  if (!isShown && typeof run !== 'function') yield `/run must be a function: it is ${describe(run)}`
  if (isShown && run !== undefined) yield `/run is of logic and integrations: a ${kind} has a view`
  if (isShown) yield* problemsOfView(view)
  if (!isShown && view !== undefined) yield '/view is of bubbles and inputs'
  if (reply !== undefined && kind !== 'input') yield '/reply is of inputs'
  else if (reply !== undefined && typeof reply !== 'function')
    yield `/reply must be a function: it is ${describe(reply)}`
}

function* problemsOfView(view: unknown): Generator<string> {
  if (!isObject(view) || typeof view['type'] !== 'string')
    yield `/view must be { type, block }, by which clients show a block that they don't know: it is ${describe(view)}`
  else if (typeof view['block'] !== 'function')
    yield `/view/block must be a function: it is ${describe(view['block'])}`
}

const flag = Type.Optional(Type.Literal(true))

const Rest = Type.Object({
  description: Type.Optional(Type.String()),
  marks: Type.Optional(
    Type.Object(
      {
        ...{ calls: flag, account: flag, mails: flag, changesNothing: flag },
        usualAnswers: Type.Optional(Type.Array(Type.String())),
      },
      { additionalProperties: false },
    ),
  ),
  mock: Type.Optional(
    Type.Object(
      { http: Mocks.properties.http, vendors: Mocks.properties.vendors },
      { additionalProperties: false },
    ),
  ),
  cases: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1 }),
          options: Type.Object({}),
          items: Type.Optional(Type.Array(Type.Object(itemBase))),
          variables: Type.Optional(Type.Object({})),
          steps: Type.Array(Type.Object({}), { minItems: 1 }),
        },
        { additionalProperties: false },
      ),
    ),
  ),
})

const rest = createLazyValidator()(Rest)

function problemsOfRest(given: Given): readonly string[] {
  if (rest.accepts(given)) return problemsOfMock(given as Pick<Block, 'mock'>)
  return toProblems(rest.errorsOf(given)).map(({ pointer, message }) => `${pointer} ${message}`)
}

/** A dry run sends nothing, whatever a block says. */
function problemsOfMock({ mock = {} }: Pick<Block, 'mock'>): string[] {
  return Object.entries(mock).flatMap(([kind, rules]: [string, readonly object[]]) =>
    rules.flatMap((rule, index) =>
      'pass' in rule ? `/mock/${kind}/${index}/pass is of the mocks of a conversation: give a reply` : [],
    ),
  )
}

/** Schema of the blocks of an own type. Options that all may be missing may be left out as a whole. */
export function schemaOfBlocks({ type, schema, description }: Block): BlockSchema<OwnBlockDefinition> {
  const needsOptions = ((schema['required'] ?? []) as readonly string[]).length > 0
  const ofBlocks: TSchema = Type.Object(
    {
      ...blockBase,
      type: Type.Literal(type),
      options: needsOptions ? (schema as TSchema) : Type.Optional(schema as TSchema),
      items: Type.Optional(Type.Array(Type.Object(itemBase))),
    },
    description === undefined ? {} : { description },
  )
  return ofBlocks as BlockSchema<OwnBlockDefinition>
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (isObject(value) && typeof value['type'] === 'string') return `of the type ${value['type']}`
  return value === null ? 'null' : `of the type ${typeof value}`
}
