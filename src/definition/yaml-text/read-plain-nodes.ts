import { FlowValues } from './flow-values.ts'
import { endOfQuoted, giveUp, notPlain, offsetOfSource, plainScalar, quotedScalar } from './plain-scalars.ts'
import type { Entry, Node, ScalarNode } from './yaml-nodes.ts'

/** Characters that end lines in other ways, indent in other ways, or are none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const otherCharacters = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff]/

/** The longest key: those beyond this the library refuses. */
const longestKey = 1_000

interface Bounds {
  readonly levels: number
  readonly values: number
}

/**
 * Reads what most flows are made of as the library does, in a tenth of its time: maps and lists in lines and in brackets on
 * one line, scalars on one line, literal texts. Undefined for anything else, for what is wrong, and beyond the bounds: the library reads that.
 */
export function readPlainNodes(text: string, bounds: Bounds): Node | undefined {
  if (!text.endsWith('\n') || otherCharacters.test(text)) return undefined
  try {
    return new PlainReader(text, bounds).whole()
  } catch (error) {
    if (error === notPlain) return undefined
    throw error
  }
}

class PlainReader {
  readonly #text: string
  readonly #bounds: Bounds
  readonly #flow: FlowValues
  /** The line that is read: its first character that is no blank, its column, and the end of the line. */
  #at = 0
  #column = -1
  #lineEnd = -1
  /** Column of the comments before it. */
  #comments: number | undefined
  /** Where the last value ends, with the rest of its line. */
  #end = 0
  #values = 0
  #levels = 0

  constructor(text: string, bounds: Bounds) {
    this.#text = text
    this.#bounds = bounds
    this.#flow = new FlowValues(text, { levels: bounds.levels, count: () => this.#count() })
  }

  whole(): Node {
    if (this.#nextLine() !== 0) giveUp()
    const root = this.#block()
    return this.#column === -1 ? root : giveUp()
  }

  /** Goes to the next line that holds something; its column, which is -1 behind the last. */
  #nextLine(): number {
    const text = this.#text
    this.#comments = undefined
    for (let start = this.#lineEnd + 1; start < text.length; start = this.#lineEnd + 1) {
      const at = this.#skip(start)
      this.#lineEnd = text.indexOf('\n', at)
      if (at === this.#lineEnd) continue
      const column = at - start
      // One that stands in another column may be a part of what is above or below.
      if ((this.#comments ?? column) !== column) giveUp()
      if (text[at] === '#') this.#comments = column
      else {
        this.#at = at
        this.#column = column
        return column
      }
    }
    if (this.#comments) giveUp()
    this.#column = -1
    return -1
  }

  #count(): void {
    this.#values += 1
    if (this.#values > this.#bounds.values) giveUp()
  }

  /** The list or map that begins in this line. */
  #block(): Node {
    this.#count()
    this.#levels += 1
    if (this.#levels > this.#bounds.levels) giveUp()
    const read = this.#isItem() ? this.#list() : this.#map()
    this.#levels -= 1
    return read
  }

  #isItem(): boolean {
    return this.#text[this.#at] === '-' && ' \n'.includes(this.#text[this.#at + 1] as string)
  }

  #list(): Node {
    const [start, column] = [this.#at, this.#column]
    const items: Node[] = []
    while (this.#column === column && this.#isItem()) {
      const at = this.#skip(this.#at + 1)
      const isNested = at < this.#lineEnd && this.#text[at] !== '#'
      if (isNested) {
        ;[this.#column, this.#at] = [column + at - this.#at, at]
        items.push(this.#isItem() || this.#endOfKey() !== undefined ? this.#block() : this.#value(at, column))
      } else items.push(this.#below(column))
      if (this.#column > column) giveUp()
    }
    return { kind: 'list', items, start, end: this.#end }
  }

  /** The value of a line that ends before it: it stands in the lines below. */
  #below(column: number): Node {
    return this.#nextLine() > column ? this.#block() : giveUp()
  }

  #map(): Node {
    const [start, column] = [this.#at, this.#column]
    const entries = new Map<string, Entry>()
    while (this.#column === column) {
      const end = this.#endOfKey()
      if (end === undefined) giveUp()
      this.#count()
      const key = this.#key(end)
      if (entries.has(key.source)) giveUp()
      entries.set(key.source, { key, value: this.#valueOf(end, column) })
      if (this.#column > column) giveUp()
    }
    return { kind: 'map', entries, start, end: this.#end }
  }

  #key(end: number): ScalarNode {
    const [text, start] = [this.#text, this.#at]
    const first = text[start]
    if (first === '"' || first === "'") return quotedScalar(text, start, end)
    return plainScalar(text.slice(start, end), start)
  }

  /** Offset of the colon behind the key that this line begins with; undefined where it has none. */
  #endOfKey(): number | undefined {
    const [text, start, lineEnd] = [this.#text, this.#at, this.#lineEnd]
    const first = text[start] as string
    if ('[{'.includes(first)) return undefined
    if (first === '"' || first === "'") {
      const end = endOfQuoted(text, start, lineEnd)
      return text[end] === ':' && ' \n'.includes(text[end + 1] as string) ? end : undefined
    }
    const line = text.slice(start, lineEnd + 1)
    let end = line.indexOf(':')
    while (end !== -1 && !' \n'.includes(line[end + 1] as string)) end = line.indexOf(':', end + 1)
    if (end === -1) return undefined
    const comment = line.indexOf(' #')
    if (comment !== -1 && comment < end) return undefined
    return end > longestKey || line[end - 1] === ' ' ? giveUp() : start + end
  }

  /** The value behind a colon. */
  #valueOf(colon: number, column: number): Node {
    const at = this.#skip(colon + 1)
    const isBelow = at === this.#lineEnd || this.#text[at] === '#'
    if (!isBelow) return this.#value(at, column)
    this.#nextLine()
    if (this.#column > column || (this.#column === column && this.#isItem())) return this.#block()
    if (this.#comments !== undefined || this.#text[colon + 1] !== '\n') giveUp()
    this.#count()
    const start = colon + 1
    this.#end = start
    return { kind: 'scalar', value: null, source: '', sourceAt: start, start, end: start }
  }

  /** A value that begins within a line, in a map or a list of a column. */
  #value(at: number, column: number): Node {
    const [text, lineEnd] = [this.#text, this.#lineEnd]
    const first = text[at] as string
    if (first === '|') return this.#literal(at, column)
    const read = '[{'.includes(first)
      ? this.#flow.read(at, lineEnd, this.#levels)
      : '"\''.includes(first)
        ? this.#counted(quotedScalar(text, at, endOfQuoted(text, at, lineEnd)))
        : this.#counted(this.#plain(at))
    const rest = this.#skip(read.end)
    if (rest !== lineEnd && (text[rest] !== '#' || rest === read.end)) giveUp()
    this.#end = lineEnd + 1
    this.#nextLine()
    return read
  }

  #counted<Value>(value: Value): Value {
    this.#count()
    return value
  }

  #plain(at: number): ScalarNode {
    const line = this.#text.slice(at, this.#lineEnd)
    const comment = line.indexOf(' #')
    const source = (comment === -1 ? line : line.slice(0, comment)).trimEnd()
    return source.includes(': ') || source.endsWith(':') ? giveUp() : plainScalar(source, at)
  }

  /** A text in lines of its own, behind `|` or `|-`. */
  #literal(start: number, column: number): ScalarNode {
    const text = this.#text
    const header = text.slice(start, this.#lineEnd)
    if (header !== '|' && header !== '|-') giveUp()
    this.#count()
    const first = this.#lineEnd + 1
    const indent = this.#skip(first) - first
    if (indent <= column || text[first + indent] === '\n' || first >= text.length) giveUp()
    const lines: string[] = []
    let [length, end] = [0, first]
    for (let at = first; at < text.length; ) {
      const lineEnd = text.indexOf('\n', at)
      const content = this.#skip(at)
      const isBlank = content === lineEnd
      if (!isBlank && content - at < indent) {
        if (content - at > column) giveUp()
        break
      }
      lines.push(text.slice(Math.min(at + indent, lineEnd), lineEnd))
      at = lineEnd + 1
      if (!isBlank) [length, end] = [lines.length, at]
    }
    if (length < lines.length && lines.slice(length).some((line) => line !== '')) giveUp()
    ;[this.#end, this.#lineEnd] = [end, end - 1]
    this.#nextLine()
    const value = `${lines.slice(0, length).join('\n')}${header === '|' ? '\n' : ''}`
    return { kind: 'scalar', value, source: value, sourceAt: offsetOfSource(text, value, start), start, end }
  }

  #skip(at: number): number {
    let end = at
    while (this.#text[end] === ' ') end += 1
    return end
  }
}
