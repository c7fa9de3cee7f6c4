/** A part of a text: offsets in units of UTF-16, the end behind the last character. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ScalarNode extends Span {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  /** The value as it is written, without quotes. */
  readonly source: string
  /** Offset of the first character of the source, where the source stands in the text as it is. */
  readonly sourceAt: number | undefined
}

export interface ListNode extends Span {
  readonly kind: 'list'
  readonly items: readonly Node[]
}

export interface Entry {
  readonly key: Span
  readonly value: Node
}

export interface MapNode extends Span {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, Entry>
}

/** A value of a YAML text with its place. */
export type Node = ScalarNode | ListNode | MapNode

/** Something that is wrong with a text: where, and what would be right. */
export interface FormProblem extends Span {
  readonly message: string
}

/** The value under a key; undefined where there is none. */
export const at = (map: MapNode, key: string): Node | undefined => map.entries.get(key)?.value

export const isNull = (node: Node): boolean => node.kind === 'scalar' && node.value === null

/** The text that a scalar stands for where a text is meant; undefined for lists, maps and nothing. */
export function scalarText(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? node.source : undefined
}

/** The place of some characters of a scalar; that of all of it where it is not written as it reads. */
export function partOf({ sourceAt, start, end }: ScalarNode, from: number, to: number): Span {
  if (sourceAt === undefined) return { start, end }
  return { start: Math.min(sourceAt + from, end), end: Math.min(sourceAt + to, end) }
}

/** The words by which a message calls a value. */
export function nameOf(node: Node): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  return node.value === null ? 'nothing' : JSON.stringify(node.source.slice(0, 60))
}
