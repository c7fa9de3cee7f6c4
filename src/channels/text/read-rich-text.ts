import { isWebLink, longestLink } from '../web-link.ts'
import { cleanText, type Style, type StyledSpan, type StyledText, trimText } from './styled-text.ts'

/** A picture between texts. */
interface PictureInText {
  readonly picture: string
}

type Node = Readonly<Record<string, unknown>>

/** Marks of a leaf that are a look; those of code and links have rules of their own. */
const marks = ['bold', 'italic', 'underline', 'strikethrough'] as const satisfies readonly Style[]

/** Levels that are read. What lies deeper is left out: no text has as many. */
const mostLevels = 60

const lineTypes: ReadonlySet<unknown> = new Set(['p', 'lic', 'code_line'])

const headings: ReadonlySet<unknown> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Reads rich text, whatever its nodes are; pictures stand between texts. */
export function readRichText(nodes: readonly unknown[]): (StyledText | PictureInText)[] {
  const reader = new RichTextReader()
  reader.readAll(nodes, { level: 0, indent: '' })
  return reader.end()
}

interface Place {
  readonly level: number
  /** Stands before each further line of a list. */
  readonly indent: string
  readonly isInLink?: boolean
  readonly isInQuote?: boolean
}

class RichTextReader {
  readonly #parts: (StyledText | PictureInText)[] = []
  #text = ''
  #spans: StyledSpan[] = []
  /** Whether the bullet of an item has been written, and nothing of the item. */
  #isBehindBullet = false

  readAll(nodes: readonly unknown[], place: Place): void {
    for (const node of nodes) if (typeof node === 'object' && node !== null) this.#read(node as Node, place)
  }

  end(): (StyledText | PictureInText)[] {
    this.#flush()
    return this.#parts
  }

  #read(node: Node, place: Place): void {
    if (typeof node['text'] === 'string') this.#readLeaf(node, node['text'], place)
    else if (place.level < mostLevels) this.#readElement(node, { ...place, level: place.level + 1 })
  }

  #readElement(node: Node, place: Place): void {
    const { type } = node
    const children: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : []
    const readChildren = () => this.readAll(children, place)
    if (type === 'a') this.#readLink(node, children, place)
    else if (type === 'img') this.#readPicture(node)
    else if (type === 'ul' || type === 'ol') this.#readList(children, type, place)
    else if (type === 'hr') this.#line(() => this.#write('———'))
    else if (type === 'code_block') this.#line(() => this.#span('pre', () => this.#readCode(children)))
    else if (type === 'blockquote') this.#readQuote(children, place)
    else if (headings.has(type)) this.#line(() => this.#span('bold', readChildren))
    else if (lineTypes.has(type)) this.#line(readChildren)
    else readChildren()
  }

  #readLeaf(leaf: Node, text: string, { isInLink }: Place): void {
    const start = this.#text.length
    this.#write(text)
    const looks = leaf['code'] === true && !isInLink ? ['code' as const] : marks.filter((mark) => leaf[mark])
    for (const style of looks) this.#mark(start, style)
  }

  /** A link that messengers do not open shows where it leads, unless that is longer than any text. */
  #readLink({ url }: Node, children: readonly unknown[], place: Place): void {
    const start = this.#text.length
    this.readAll(children, { ...place, isInLink: true })
    if (typeof url !== 'string' || url === '' || url.length > longestLink || place.isInLink) return
    if (this.#text.length === start) this.#write(url)
    else if (isWebLink(url)) this.#mark(start, 'link', url)
    else if (this.#text.slice(start) !== url) this.#write(` (${url})`)
  }

  #readPicture({ url }: Node): void {
    if (typeof url !== 'string' || url === '') return
    this.#flush()
    this.#parts.push({ picture: url })
  }

  #readList(items: readonly unknown[], type: 'ul' | 'ol', place: Place): void {
    let number = 0
    for (const item of items) {
      number += 1
      this.#line(() => {
        this.#write(place.indent + (type === 'ul' ? '• ' : `${number}. `))
        this.#isBehindBullet = true
        this.readAll([item], { ...place, indent: `${place.indent}   ` })
      })
    }
  }

  #readQuote(children: readonly unknown[], place: Place): void {
    const inside = { ...place, isInQuote: true }
    const read = () => this.readAll(children, inside)
    if (place.isInQuote) read()
    else this.#line(() => this.#span('quote', read))
  }

  #readCode(lines: readonly unknown[]): void {
    this.#write(lines.map((line) => textOf(line, 0)).join('\n'))
  }

  /** Begins a line, unless nothing but the bullet of a list stands in the present one. */
  #line(write: () => void): void {
    if (this.#text !== '' && !this.#isBehindBullet) this.#text += '\n'
    this.#isBehindBullet = false
    write()
  }

  #span(style: Style, write: () => void): void {
    const [start, before] = [this.#text.length, this.#spans.length]
    write()
    // Within a fixed width, and within what has the look already, there are no others.
    if (style === 'bold') {
      const inner = this.#spans.splice(before).filter((span) => span.style !== 'bold')
      this.#mark(start, style)
      this.#spans.push(...inner)
    } else this.#mark(start, style)
  }

  #mark(start: number, style: Style, url?: string): void {
    const end = this.#text.length
    if (start < end) this.#spans.push({ start, end, style, ...(url !== undefined && { url }) })
  }

  #write(text: string): void {
    this.#text += cleanText(text)
  }

  #flush(): void {
    const text = trimText({ text: this.#text, spans: this.#spans })
    if (text.text !== '') this.#parts.push(text)
    this.#text = ''
    this.#spans = []
  }
}

function textOf(node: unknown, level: number): string {
  if (typeof node !== 'object' || node === null || level > mostLevels) return ''
  const { text, children } = node as Node
  if (typeof text === 'string') return text
  return Array.isArray(children) ? children.map((child) => textOf(child, level + 1)).join('') : ''
}
