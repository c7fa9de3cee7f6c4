import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { tokensOf } from '../../lint/model/json-pointer.ts'
import { linesOf, type Range } from '../../lint/model/text-lines.ts'

/** A text of JSON, in which the places of values can be found. */
export interface PositionedText {
  /** Undefined where the text is no JSON. */
  readonly tree: Node | undefined
  /** Why it is none. */
  readonly problem: { readonly message: string; readonly range: Range } | undefined
  /** Where a pointer leads; what is not there has the place of what is around it. */
  rangeOf(pointer: string): Range
}

/** Reads the text of a file; the first byte mark is passed over. */
export function positionText(text: string): PositionedText {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  })
  const { rangeAt } = linesOf(text)
  const [broken] = errors
  return {
    tree: broken ? undefined : tree,
    problem: broken && {
      message: `is not valid JSON (${wordsOf(printParseErrorCode(broken.error))})`,
      range: rangeAt(broken.offset, broken.offset + broken.length),
    },
    rangeOf(pointer) {
      const node = tree && nearestNode(tree, pointer)
      return node ? rangeAt(node.offset, node.offset + node.length) : rangeAt(0, 0)
    },
  }
}

function nearestNode(tree: Node, pointer: string): Node {
  const path = tokensOf(pointer)
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, segmentsOf(tree, path.slice(0, length)))
    if (node) return node
  }
  return tree
}

/** The tokens of a pointer, as numbers where they lead into a list. */
export function segmentsOf(tree: Node, tokens: readonly string[]): (string | number)[] {
  const segments: (string | number)[] = []
  for (const token of tokens) {
    const inside = findNodeAtLocation(tree, segments)
    segments.push(inside?.type === 'array' ? Number(token) : token)
  }
  return segments
}

/** "PropertyNameExpected" as words. */
const wordsOf = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
