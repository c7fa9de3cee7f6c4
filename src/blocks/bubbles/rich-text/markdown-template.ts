import { placeholdersIn } from '../../../engine/templates/parse-template.ts'
import { readMarkdown } from './from-markdown.ts'
import { type Element, isLeaf, type Node, paragraph } from './nodes.ts'
import { longestMarkdown } from './reading-cost.ts'

/** Characters for private use, which are as letters to markdown, and what stands for a placeholder between two of them. */
const marks = [
  ['\uE000', /\uE000(\d+)\uE000/g],
  ['\uE001', /\uE001(\d+)\uE001/g],
  ['\uE002', /\uE002(\d+)\uE002/g],
] as const

/**
 * Reads a text of an author as CommonMark, with its placeholders as they are written: nothing in them is markup. In a text
 * that has the marks which stand in for them, they are as any text. Each line of a paragraph is a paragraph, as editors
 * write lines and as they are written as markdown.
 */
export function readMarkdownTemplate(text: string): Node[] {
  const free = text.length > longestMarkdown ? undefined : marks.find(([mark]) => !text.includes(mark))
  if (!free) return readLines(text)
  const [mark, standIn] = free
  const placeholders: string[] = []
  let masked = ''
  let literalFrom = 0
  for (const { from, to } of placeholdersIn(text)) {
    masked += text.slice(literalFrom, from) + mark + placeholders.length + mark
    placeholders.push(text.slice(from, to))
    literalFrom = to
  }
  if (placeholders.length === 0) return readLines(text)
  const unmask = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(standIn, (_, index) => placeholders[index] ?? '')
    if (Array.isArray(value)) return value.map(unmask)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, unmask(inside)]))
  }
  return unmask(readLines(masked + text.slice(literalFrom))) as Node[]
}

function readLines(text: string): Node[] {
  const nodes = readMarkdown(text)
  if (text.length > longestMarkdown) return nodes
  return nodes.flatMap((node) => (isParagraph(node) ? linesOf(node.children) : [node]))
}

const isParagraph = (node: Node): node is Element => !isLeaf(node) && node.type === 'p'

function linesOf(children: readonly Node[]): Node[] {
  const lines: Node[][] = [[]]
  for (const child of children) {
    // A line break that is marked as one stays within its paragraph.
    const texts = isLeaf(child) && child.text !== '\n' ? child.text.split('\n') : undefined
    if (!texts || texts.length === 1) lines.at(-1)?.push(child)
    else
      for (const [index, text] of texts.entries()) {
        if (index > 0) lines.push([])
        if (text !== '') lines.at(-1)?.push({ ...child, text })
      }
  }
  return lines.map((line) => paragraph(line))
}
