import { encodeDestination } from './link-destination.ts'
import { type Element, isLeaf, type Leaf, type Node } from './nodes.ts'

/** Marks written as something before and something after, from the innermost to the outermost. */
const wrappers = [
  ['underline', '<u>', '</u>'],
  ['bold', '**', '**'],
  ['italic', '_', '_'],
  ['strikethrough', '~~', '~~'],
] as const

/** Marks that are a style, with the name that CSS has for it. */
const styles = [
  ['backgroundColor', 'background-color'],
  ['color', 'color'],
] as const

const looks = ['code', ...wrappers.map(([mark]) => mark), ...styles.map(([mark]) => mark)]

/** A colour as CSS spells one; anything else could leave the attribute that it is written into. */
const colour = /^[\w#%(),. -]+$/

/** The markdown of a line (docs/behaviour/bubbles.md, "Markdown"). Text is never escaped; any element but a link or a picture is its text. */
export function inlineMarkdown(nodes: readonly Node[]): string {
  let markdown = ''
  let open: Leaf | undefined
  // The text of the leaves that look like the open one.
  let text = ''
  for (const node of nodes) {
    if (!isLeaf(node)) {
      if (open) markdown += leafMarkdown(open, text)
      open = undefined
      markdown += elementMarkdown(node)
    } else if (open && looksAlike(open, text, node)) {
      text += node.text
    } else {
      if (open) markdown += leafMarkdown(open, text)
      open = node
      text = node.text
    }
  }
  return open ? markdown + leafMarkdown(open, text) : markdown
}

/** A line break of its own, as opposed to text that contains one. */
function looksAlike(left: Leaf, leftText: string, right: Leaf): boolean {
  if (leftText === '\n' || right.text === '\n') return false
  return looks.every((mark) => (left[mark] || undefined) === (right[mark] || undefined))
}

/** Delimiters must touch the text, so blanks around it are moved outside. */
function leafMarkdown(leaf: Leaf, text: string): string {
  if (text === '\n') return '\\\n'
  const wrapped = wrappers.filter(([mark]) => leaf[mark])
  if (wrapped.length === 0) return styled(leaf, text)
  const trimmed = text.trim()
  if (trimmed === '') return text
  const [leading, trailing] = text.split(trimmed) as [string, string]
  const marked = wrapped.reduce((inner, [, before, after]) => before + inner + after, styled(leaf, trimmed))
  return leading + marked + trailing
}

function styled(leaf: Leaf, text: string): string {
  let markdown = leaf['code'] ? codeSpan(text) : text
  for (const [mark, property] of styles) {
    const value = leaf[mark]
    if (typeof value !== 'string' || !colour.test(value)) continue
    markdown = `<span style="${property}: ${value};">${markdown}</span>`
  }
  return markdown
}

function codeSpan(text: string): string {
  if (text === '') return ''
  const fence = fenceFor(text, 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + pad + text + pad + fence
}

/** A run of backquotes that is longer than any in the text. */
export function fenceFor(text: string, shortest: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce(
    (length, run) => Math.max(length, run.length),
    shortest - 1,
  )
  return '`'.repeat(longest + 1)
}

function elementMarkdown(element: Element): string {
  const { type, children } = element
  if (type === 'a') return linkMarkdown(element)
  if (type === 'img') return imageMarkdown(element)
  return inlineMarkdown(children)
}

/** A link without an address is its text, one without text its address. */
function linkMarkdown({ url, children }: Element): string {
  const text = inlineMarkdown(children)
  if (typeof url !== 'string') return text
  const destination = encodeDestination(url)
  return text === '' ? destination : `[${text}](${destination})`
}

function imageMarkdown({ url, caption }: Element): string {
  const destination = typeof url === 'string' ? encodeDestination(url) : ''
  const alt = altOf(caption)
  return alt === '' ? `![](${destination})` : `![${alt}](${destination} "${alt.replace(/["\\]/g, '\\$&')}")`
}

/** A caption comes as it was defined, so nothing about it is certain. */
function altOf(caption: unknown): string {
  if (!Array.isArray(caption)) return ''
  return caption
    .map((leaf: { text?: unknown } | null) => (typeof leaf?.text === 'string' ? leaf.text : ''))
    .join('')
}
