import { ensureSyntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { unescapeStep } from '../state/json.ts'

/** Milliseconds that a look for a place may take: authors have large flows. */
const patienceMs = 300

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Where the value at a JSON pointer stands in a text; undefined where there is none. */
export function findPointer(state: EditorState, pointer: string): TextRange | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, patienceMs)
  let node = tree?.topNode.firstChild
  for (const step of pointer.split('/').slice(1).map(unescapeStep)) {
    if (node?.name === 'Object') {
      const named = node.getChildren('Property').find((property) => {
        const name = property.getChild('PropertyName')
        return name && readName(state.sliceDoc(name.from, name.to)) === step
      })
      node = named?.lastChild
    } else if (node?.name === 'Array') {
      // The brackets are children too, and commas are none.
      node = valuesIn(node)[Number(step)]
    } else return undefined
  }
  return node ? { from: node.from, to: node.to } : undefined
}

type Node = NonNullable<ReturnType<typeof ensureSyntaxTree>>['topNode']

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

function valuesIn(list: Node): Node[] {
  const found: Node[] = []
  for (let child = list.firstChild; child; child = child.nextSibling)
    if (values.has(child.name)) found.push(child)
  return found
}

function readName(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
