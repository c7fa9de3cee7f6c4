import { type Node, parse, parseTree } from 'jsonc-parser'
import type { Declared, NamedKind, NamesOfText, Occurrence } from './occurrence.ts'
import { variablesNamedIn } from './placeholders.ts'

/** Kinds of what options name by an id, by the ends of their keys. */
const kindsByKey: readonly (readonly [RegExp, NamedKind])[] = [
  [/ariableIds?$/, 'variable'],
  [/^groupIds?$/, 'group'],
  [/^blockId$/, 'block'],
  [/dgeId$/, 'edge'],
  [/^eventId$/, 'event'],
]

/** The kind of thing that the value of a key names; undefined for a key that names nothing of its flow. */
export function kindNamedBy(key: string): NamedKind | undefined {
  return kindsByKey.find(([ending]) => ending.test(key))?.[1]
}

const lists: Readonly<Record<string, { readonly kind: NamedKind; readonly name?: string }>> = {
  variables: { kind: 'variable', name: 'name' },
  groups: { kind: 'group', name: 'title' },
  edges: { kind: 'edge' },
  events: { kind: 'event' },
}

/** The names in the JSON of a flow, as far as it can be read while it is written. */
export function namesInJson(text: string): NamesOfText {
  const tree = parseTree(text)
  const collected: Collected = { text, occurrences: [], declared: [] }
  if (tree?.type !== 'object') return collected
  for (const [list, { kind, name }] of Object.entries(lists))
    for (const entry of child(tree, list)?.children ?? []) {
      declare(entry, { kind, name }, collected)
      if (kind !== 'group') continue
      for (const block of child(entry, 'blocks')?.children ?? []) declare(block, { kind: 'block' }, collected)
    }
  collectUses(tree, undefined, collected)
  return collected
}

interface Collected {
  readonly text: string
  readonly occurrences: Occurrence[]
  readonly declared: Declared[]
}

/** The value of a property. */
export function child(node: Node | undefined, key: string): Node | undefined {
  return node?.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1]
}

function declare(
  entry: Node,
  { kind, name }: { readonly kind: NamedKind; readonly name?: string | undefined },
  { occurrences, declared }: Collected,
): void {
  const [idNode, nameNode] = [child(entry, 'id'), name === undefined ? undefined : child(entry, name)]
  if (idNode?.type !== 'string') return
  const called = { id: idNode.value as string, name: nameNode?.value as string | undefined }
  const spanOf = nameNode?.type === 'string' ? nameNode : idNode
  declared.push({ kind, ...called, span: inside(spanOf) })
  occurrences.push({
    kind,
    by: 'id',
    called: called.id,
    isDeclaration: true,
    form: 'json',
    ...inside(idNode),
  })
  if (nameNode?.type === 'string')
    occurrences.push({
      ...{ kind, by: 'name', called: nameNode.value, isDeclaration: true, form: 'json' },
      ...inside(nameNode),
    })
}

/** Between the quotes. */
const inside = ({ offset, length }: Node) => ({ start: offset + 1, end: offset + length - 1 })

function collectUses(node: Node, key: string | undefined, collected: Collected): void {
  if (node.type === 'string') {
    useOf(node, key, collected)
    return
  }
  // A link into another flow names a group of that.
  const leavesFlow = child(node, 'flowId') !== undefined && child(node, 'flowId')?.value !== 'current'
  for (const part of node.children ?? []) {
    if (part.type !== 'property') collectUses(part, key, collected)
    else if (part.children?.[1]) {
      const inner = String(part.children[0]?.value)
      if (!(leavesFlow && inner === 'groupId')) collectUses(part.children[1], inner, collected)
    }
  }
}

function useOf(node: Node, key: string | undefined, { text, occurrences }: Collected): void {
  const kind = key === undefined ? undefined : kindNamedBy(key)
  if (kind) {
    const called = node.value as string
    occurrences.push({ kind, by: 'id', called, isDeclaration: false, form: 'json', ...inside(node) })
    return
  }
  const { start, end } = inside(node)
  for (const { name, at, isCode } of variablesNamedIn(text.slice(start, end), decode))
    occurrences.push({
      ...{ kind: 'variable', by: 'name', called: name, isDeclaration: false, form: isCode ? 'code' : 'json' },
      ...{ start: start + at.start, end: start + at.end },
    })
}

/** A piece of a text as JSON writes it. */
const decode = (written: string): string => parse(`"${written}"`) ?? written
