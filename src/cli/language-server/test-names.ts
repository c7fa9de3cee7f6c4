import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml'
import { type NamesOfText, noNames, type Occurrence } from './occurrence.ts'

/** The names of a flow in a file of its tests: variables in `vars` and `memory`, groups where `went` says the way. */
export function namesInTests(text: string): NamesOfText {
  const { contents } = parseDocument(text, { prettyErrors: false })
  const occurrences: Occurrence[] = []
  const add = (node: unknown, kind: Occurrence['kind'], by: Occurrence['by']) => {
    if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return
    const { start, end } = insideQuotes(node)
    occurrences.push({ kind, by, called: node.value, isDeclaration: false, form: formOf(node), start, end })
  }
  visit(contents, (key, value) => {
    if ((key === 'vars' || key === 'memory') && isMap(value))
      for (const pair of value.items) add(pair.key, 'variable', 'name')
    if (key === 'groupId') add(value, 'group', 'id')
    if (key !== 'went') return
    for (const item of isSeq(value) ? value.items : [value]) {
      add(item, 'group', 'name')
      add(item, 'group', 'id')
      add(item, 'edge', 'id')
    }
  })
  return occurrences.length === 0 ? noNames : { occurrences, declared: [] }
}

/** Sees every key with its value, in what aliases stand for only where it is written. */
function visit(node: unknown, see: (key: unknown, value: Node) => void): void {
  if (isSeq(node)) for (const item of node.items) visit(item, see)
  if (!isMap(node)) return
  for (const { key, value } of node.items) {
    if (isScalar(key)) see(key.value, value as Node)
    visit(value, see)
  }
}

/** The place of a text, without its quotes. */
function insideQuotes({ range, type }: Scalar): { readonly start: number; readonly end: number } {
  const [start = 0, end = 0] = range ?? []
  const quote = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 1 : 0
  return { start: start + quote, end: end - quote }
}

/** The way in which a text has to be written there. */
const formOf = ({ type }: Scalar): Occurrence['form'] =>
  type === 'QUOTE_DOUBLE' ? 'json' : type === 'QUOTE_SINGLE' ? 'yaml quoted' : 'yaml'
