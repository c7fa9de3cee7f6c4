import {
  findNodeAtLocation,
  getLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  parseTree,
} from 'jsonc-parser'

/** What of a JSON schema completion reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

export interface Proposal {
  readonly label: string
  /** What takes the place of the range. */
  readonly apply: string
  readonly detail?: string
  readonly info?: string
}

export interface Proposals {
  readonly from: number
  readonly to: number
  readonly options: readonly Proposal[]
}

/** A list that is longer is no help. */
const most = 500

/** Keys whose values are ids of other parts, with the list of the flow where those are. */
const references: readonly (readonly [RegExp, (flow: Node) => Node[]])[] = [
  [/edgeId$/i, (flow) => itemsAt(flow, ['edges'])],
  [/variableId$/i, (flow) => itemsAt(flow, ['variables'])],
  [/groupId$/i, (flow) => itemsAt(flow, ['groups'])],
  [/blockId$/i, (flow) => itemsAt(flow, ['groups']).flatMap((group) => itemsAt(group, ['blocks']))],
]

/** Where a part has what identifies it: a variable, a group, an edge, a block. */
const namesOfParts: readonly JSONPath[] = [['name'], ['title'], ['to', 'groupId'], ['type']]

/** What may stand at an offset of the text of a flow; undefined where nothing is known of it. */
export function completeFlow(text: string, offset: number, schema: Schema): Proposals | undefined {
  try {
    return propose(text, offset, schema)
  } catch (error) {
    // Brackets inside brackets until the stack is full.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function propose(text: string, offset: number, schema: Schema): Proposals | undefined {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset)
  const typed = previousNode && offset <= previousNode.offset + previousNode.length ? previousNode : undefined
  const isInString = typed !== undefined && text[typed.offset] === '"'
  // Behind a value that is complete, a comma is what is missing.
  if (isInString && isClosed(text, typed) && offset === typed.offset + typed.length) return undefined
  const flow = parseTree(text)
  const key = path.at(-1)
  if (!flow || key === undefined) return undefined
  const parents = schemasAt(schema, flow, path)
  const found = isAtPropertyKey
    ? keysOf(parents, findNodeAtLocation(flow, path.slice(0, -1)), key)
    : [...idsFor(key, flow), ...parents.flatMap((parent) => valuesOf(childOf(parent, key)))]
  const from = isInString ? typed.offset + 1 : (typed?.offset ?? startOfWord(text, offset))
  const to = isInString ? endOfString(text, typed) : Math.max(offset, typed ? typed.offset + typed.length : 0)
  const suffix = isAtPropertyKey && !/^\s*:/.test(text.slice(to, to + 100)) ? ': ' : ''
  const options = [...new Map(found.map((one) => [one.label, one])).values()]
    .filter(({ apply }) => !isInString || apply.startsWith('"'))
    .slice(0, most)
    .map((one) => ({ ...one, apply: one.apply.slice(isInString ? 1 : 0) + suffix }))
  return options.length === 0 ? undefined : { from, to, options }
}

/** A string without an end reaches to the end of its line: what stands there is kept. */
function endOfString(text: string, { offset, length }: Node): number {
  return isClosed(text, { offset, length }) ? offset + length : offset + 1 + wordAt(text, offset + 1).length
}

const isClosed = (text: string, { offset, length }: Pick<Node, 'offset' | 'length'>) =>
  length > 1 && text[offset + length - 1] === '"'

const wordAt = (text: string, offset: number) => /^[\w-]*/.exec(text.slice(offset, offset + 200))?.[0] ?? ''

const startOfWord = (text: string, offset: number) =>
  offset - (/\w*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0)

/** What describes the object or list that holds the last step of a path. */
function schemasAt(schema: Schema, flow: Node, path: JSONPath): Schema[] {
  let schemas = [schema]
  for (const [depth, step] of path.entries()) {
    const node = findNodeAtLocation(flow, path.slice(0, depth))
    // What somebody is about to change decides nothing.
    const open = depth === path.length - 1 ? step : undefined
    schemas = schemas.flatMap((one) => membersFor(one, node, open))
    if (depth < path.length - 1) schemas = schemas.flatMap((one) => childOf(one, step) ?? [])
  }
  return schemas
}

function childOf(schema: Schema, step: string | number): Schema | undefined {
  return typeof step === 'number' ? schema.items : ownProperty(schema, step)
}

const ownProperty = ({ properties }: Schema, key: string): Schema | undefined =>
  properties && Object.hasOwn(properties, key) ? properties[key] : undefined

/** Which members of a union a value can be: all of them where it fits none. */
function membersFor(schema: Schema, node: Node | undefined, open: string | number | undefined): Schema[] {
  const members = schema.oneOf ?? schema.anyOf
  if (!members) return [schema]
  const all = members.flatMap((member) => membersFor(member, node, open))
  const fitting = all.filter(
    (member) =>
      node?.type !== 'object' ||
      Object.entries(member.properties ?? {}).every(([key, property]) => {
        const words = wordsOf(property)
        const value = key === open ? undefined : findNodeAtLocation(node, [key])?.value
        return words.length === 0 || value === undefined || words.includes(value)
      }),
  )
  return fitting.length > 0 ? fitting : all
}

const wordsOf = (schema: Schema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const])

function keysOf(schemas: readonly Schema[], object: Node | undefined, typed: string | number): Proposal[] {
  const present = new Set(object?.children?.map(({ children }) => children?.[0]?.value))
  return schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([key]) => key === typed || !present.has(key))
      .map(([key, { description, type }]) => ({
        label: key,
        apply: JSON.stringify(key),
        ...(typeof type === 'string' && { detail: type }),
        ...(description !== undefined && { info: description }),
      })),
  )
}

function valuesOf(schema: Schema | undefined): Proposal[] {
  if (!schema) return []
  const members = schema.oneOf ?? schema.anyOf
  if (members) return members.flatMap(valuesOf)
  const words = schema.type === 'boolean' ? [true, false] : wordsOf(schema)
  const { description } = schema
  return words.map((word) => ({
    label: String(word),
    apply: JSON.stringify(word),
    ...(description !== undefined && { info: description }),
  }))
}

function idsFor(key: string | number, flow: Node): Proposal[] {
  const [, itemsOf] = references.find(([ending]) => ending.test(String(key))) ?? []
  return (itemsOf?.(flow) ?? []).flatMap((item) => {
    const id = textAt(item, ['id'])
    const detail = namesOfParts.map((path) => textAt(item, path)).find((name) => name !== undefined)
    return id === undefined
      ? []
      : [{ label: id, apply: JSON.stringify(id), ...(detail !== undefined && { detail }) }]
  })
}

function itemsAt(node: Node, path: JSONPath): Node[] {
  const list = findNodeAtLocation(node, path)
  return list?.type === 'array' ? (list.children ?? []) : []
}

function textAt(node: Node, path: JSONPath): string | undefined {
  const found = findNodeAtLocation(node, path)
  const value: unknown = found && getNodeValue(found)
  return typeof value === 'string' ? value : undefined
}
