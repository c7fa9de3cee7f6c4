import type * as Jsonc from 'jsonc-parser'
import { tokensOf } from '../lib/json-pointer.ts'
import { lazyModule } from '../lib/lazy-module.ts'
import { linesOf, type Range } from '../lib/text-lines.ts'

/** Loaded for what is to be found in a text alone: most texts are right, and nothing is. */
const jsonc = lazyModule<typeof Jsonc>('jsonc-parser')

/** Reads the text of a file when something of it is looked for; the first byte mark is passed over. */
export function positionJson(text: string) {
  let made: Positions | undefined
  const positions = () => {
    made ??= findPositions(text)
    return made
  }
  return {
    /** Undefined where the text is no JSON. Made when it is first asked for: a text without findings needs none. */
    get tree(): Jsonc.Node | undefined {
      const { tree, broken } = positions()
      return broken ? undefined : tree
    },
    /** The reason why the text is no JSON. */
    get problem(): { readonly message: string; readonly range: Range } | undefined {
      const { broken, rangeAt } = positions()
      return (
        broken && {
          message: `is not valid JSON (${wordsOf(jsonc().printParseErrorCode(broken.error))})`,
          range: rangeAt(broken.offset, broken.offset + broken.length),
        }
      )
    },
    /** Place of a pointer's target; a target that is absent has the place of its parent. */
    rangeOf(pointer: string): Range {
      const { tree, rangeAt } = positions()
      const node = tree && nearestNode(tree, pointer)
      return node ? rangeAt(node.offset, node.offset + node.length) : rangeAt(0, 0)
    },
  }
}

interface Positions extends Pick<ReturnType<typeof linesOf>, 'rangeAt'> {
  readonly tree: Jsonc.Node | undefined
  readonly broken: Jsonc.ParseError | undefined
}

function findPositions(text: string): Positions {
  const errors: Jsonc.ParseError[] = []
  const tree = parseShallow(text, errors)
  return { tree, broken: errors[0], rangeAt: linesOf(text).rangeAt }
}

/** The parser recurses: of what lies too deep for it nothing has a place. */
function parseShallow(text: string, errors: Jsonc.ParseError[]): Jsonc.Node | undefined {
  try {
    return jsonc().parseTree(text, errors, {
      disallowComments: true,
      allowTrailingComma: false,
      allowEmptyContent: false,
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

function nearestNode(tree: Jsonc.Node, pointer: string): Jsonc.Node {
  const path = tokensOf(pointer)
  for (let length = path.length; length > 0; length--) {
    const node = jsonc().findNodeAtLocation(tree, segmentsOf(tree, path.slice(0, length)))
    if (node) return node
  }
  return tree
}

/** The tokens of a pointer, as numbers where they lead into a list. */
export function segmentsOf(tree: Jsonc.Node, tokens: readonly string[]): (string | number)[] {
  const segments: (string | number)[] = []
  for (const token of tokens) {
    const inside = jsonc().findNodeAtLocation(tree, segments)
    segments.push(inside?.type === 'array' ? Number(token) : token)
  }
  return segments
}

/** "PropertyNameExpected" as words. */
const wordsOf = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
