import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { escapeToken } from '../../lib/json-pointer.ts'
import type { YamlPlaces } from '../../ports/yaml-reader-port.ts'

/** Uses of one anchor: a few lines could else stand for gigabytes. */
const mostAliases = 100

/** Levels below which a value has the place of what is around it. */
const deepestPlace = 8

interface ParsedYaml {
  readonly value: unknown
  readonly places: YamlPlaces
}

/** Thrown for what can not be read; says why in one line. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
  /** Place as `line:column`; undefined for an error about the whole text. */
  readonly place: string | undefined

  constructor(message: string, place?: string) {
    super(message.split('\n', 1)[0])
    this.place = place
  }
}

/** Reads a text, of which JSON is a kind. Throws a YamlError for invalid YAML, and for a text that expands too much. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}`
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [broken] = document.errors
    if (broken) throw new YamlError(`is not valid YAML: ${broken.message}`, at(broken.pos[0]))
    const places = new Map<string, string>()
    for (const [pointer, offset] of offsetsIn(document.contents, '', 0)) places.set(pointer, at(offset))
    return { value: document.toJS({ maxAliasCount: mostAliases }), places }
  } catch (error) {
    if (error instanceof YamlError) throw error
    throw new YamlError(`can not be read: ${error instanceof Error ? error.message : error}`)
  }
}

function* offsetsIn(node: unknown, pointer: string, depth: number): Generator<[string, number]> {
  if (!isNode(node)) return
  if (node.range) yield [pointer, node.range[0]]
  if (depth === deepestPlace || isAlias(node)) return
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* offsetsIn(item, `${pointer}/${index}`, depth + 1)
  } else if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const inside = `${pointer}/${escapeToken(String(key.value))}`
      if (value === null && key.range) yield [inside, key.range[0]]
      else yield* offsetsIn(value as Node, inside, depth + 1)
    }
  }
}
