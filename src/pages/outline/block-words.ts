import type { Block } from '../../../schemas/blocks/index.ts'

/** Levels of rich text that are looked through. */
const deepest = 130

const longest = 200

/** The first words of what a block shows: of a bubble its text, of an input what stands in its field; empty for others. Values are an ellipsis. */
export function wordsOf(block: Block): string {
  const { content, options } = block as {
    readonly content?: unknown
    readonly options?: { readonly labels?: { readonly placeholder?: unknown } }
  }
  const words = textOf(content) ?? textOf(options?.labels?.placeholder) ?? ''
  const plain = words
    .replace(/\{\{[^{}]*\}\}/g, '…')
    .replace(/[*_`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const { markdown, richText, url } = (content ?? {}) as Readonly<Record<string, unknown>>
  if (typeof markdown === 'string') return markdown
  if (Array.isArray(richText)) return lines(richText, 0)
  return typeof url === 'string' ? url : undefined
}

function lines(nodes: readonly unknown[], level: number): string {
  return nodes.map((node) => textIn(node, level)).join(level === 0 ? ' ' : '')
}

function textIn(node: unknown, level: number): string {
  const { text, children } = (node ?? {}) as Readonly<Record<string, unknown>>
  if (typeof text === 'string') return text
  return Array.isArray(children) && level < deepest ? lines(children, level + 1) : ''
}
