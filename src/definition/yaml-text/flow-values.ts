import { endOfQuoted, giveUp, plainScalar, quotedScalar } from './plain-scalars.ts'
import type { Entry, MapNode, Node, ScalarNode } from './yaml-nodes.ts'

interface FlowTerms {
  readonly levels: number
  /** Is told of each value. */
  count(): void
}

/** Reads lists and maps in brackets that begin and end on one line. */
export class FlowValues {
  readonly #text: string
  readonly #terms: FlowTerms
  #at = 0
  #end = 0
  #levels = 0

  constructor(text: string, terms: FlowTerms) {
    this.#text = text
    this.#terms = terms
  }

  /** The value that begins at an offset. */
  read(start: number, lineEnd: number, levels: number): Node {
    ;[this.#at, this.#end, this.#levels] = [start, lineEnd, levels]
    return this.#value()
  }

  #value(): Node {
    const opening = this.#text[this.#at]
    if (opening !== '[' && opening !== '{') return this.#scalar()
    this.#terms.count()
    this.#levels += 1
    if (this.#levels > this.#terms.levels) giveUp()
    const read = opening === '[' ? this.#list() : this.#map()
    this.#levels -= 1
    return read
  }

  #list(): Node {
    const start = this.#at++
    const items: Node[] = []
    this.#each(']', () => {
      const item = this.#value()
      this.#skip()
      items.push(this.#text[this.#at] === ':' ? this.#pair(item) : item)
    })
    return { kind: 'list', items, start, end: this.#at }
  }

  #pair(key: Node): MapNode {
    this.#terms.count()
    const [name, entry] = this.#entry(key)
    return { kind: 'map', entries: new Map([[name, entry]]), start: key.start, end: entry.value.end }
  }

  #map(): Node {
    const start = this.#at++
    const entries = new Map<string, Entry>()
    this.#each('}', () => {
      const key = this.#value()
      this.#skip()
      const [name, entry] = this.#entry(key)
      if (entries.has(name)) giveUp()
      entries.set(name, entry)
    })
    return { kind: 'map', entries, start, end: this.#at }
  }

  #entry(key: Node): [string, Entry] {
    if (key.kind !== 'scalar' || this.#text[this.#at] !== ':') giveUp()
    this.#at += 1
    this.#skip()
    return [key.source, { key, value: this.#value() }]
  }

  /** Reads each part between commas, up to the end. */
  #each(closing: string, read: () => void): void {
    this.#skip()
    while (this.#text[this.#at] !== closing) {
      read()
      this.#skip()
      const follows = this.#text[this.#at]
      if (follows === closing) break
      if (follows !== ',') giveUp()
      this.#at += 1
      this.#skip()
      if (this.#text[this.#at] === closing) giveUp()
    }
    this.#at += 1
  }

  #scalar(): ScalarNode {
    this.#terms.count()
    const start = this.#at
    const first = this.#text[start]
    if (first === '"' || first === "'") {
      this.#at = endOfQuoted(this.#text, start, this.#end)
      return quotedScalar(this.#text, start, this.#at)
    }
    while (!this.#endsPlain()) this.#at += 1
    const source = this.#text.slice(start, this.#at).trimEnd()
    return plainScalar(source, start)
  }

  #endsPlain(): boolean {
    const character = this.#text[this.#at]
    if (this.#at >= this.#end || (character === ' ' && this.#text[this.#at + 1] === '#')) giveUp()
    if (character === ':') {
      const next = this.#text[this.#at + 1] as string
      if (',[]{}\n'.includes(next)) giveUp()
      return next === ' '
    }
    return ',[]{}'.includes(character as string)
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1
  }
}
