import type { BlockContent, DefinitionContent, List, Paragraph, PhrasingContent, RootContent } from 'mdast'
import { isSafeAddress } from '../../../engine/templates/url-policy.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { type Element, type Leaf, leavesOf, type Node, paragraph } from './nodes.ts'
import { createReadingBudget, isPlain, longestMarkdown, type ReadingBudget, spendOn } from './reading-cost.ts'

const markdown = lazyModule<typeof import('mdast-util-from-markdown')>('mdast-util-from-markdown')

/**
 * Link reference definitions are left as they are written: a value would lose its text to them, and a few thousand
 * references to one long address would fill the memory.
 */
const options = { extensions: [{ disable: { null: ['definition'] } }] }

const visible = /[^ \t\r\n]/

/** Deeper than any text for readers. */
const maxDepth = 48

/**
 * Reads a value as CommonMark (docs/behaviour/bubbles.md, "Text bubble"). HTML stays text. A value that is too
 * long, or whose markup is too dense or too deep, to be read in good time is shown as it is.
 */
export function readMarkdown(value: string, budget: ReadingBudget = createReadingBudget()): Node[] {
  if (!visible.test(value)) return []
  const isAsWritten = value.length > longestMarkdown || isPlain(value) || !spendOn(value, budget)
  if (isAsWritten) return [paragraph([{ text: value }])]
  const root = markdown().fromMarkdown(value, options)
  if (isDeeperThan(maxDepth, root.children)) return [paragraph([{ text: value }])]
  return root.children.flatMap((block, index) => [
    ...blankLines(root.children[index - 1], block),
    ...readBlock(block),
  ])
}

function isDeeperThan(depth: number, nodes: readonly RootContent[]): boolean {
  let level = nodes
  for (let at = 0; level.length > 0; at++) {
    if (at === depth) return true
    level = level.flatMap((node): RootContent[] => ('children' in node ? node.children : []))
  }
  return false
}

function blankLines(above: RootContent | undefined, below: RootContent): Node[] {
  const from = above?.position?.end.line
  const to = below.position?.start.line
  if (from === undefined || to === undefined) return []
  return Array.from({ length: to - from - 1 }, () => paragraph([{ text: '' }]))
}

function readBlock(node: RootContent | BlockContent | DefinitionContent): Element[] {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node)
    case 'heading':
      return [{ type: `h${node.depth}`, children: readInlines(node.children) }]
    case 'blockquote':
      return [{ type: 'blockquote', children: readQuote(node.children) }]
    case 'list':
      return [readList(node)]
    case 'code':
      return [readCode(node.value, node.lang)]
    case 'html':
      return [paragraph([{ text: node.value }])]
    case 'thematicBreak':
      return [{ type: 'hr', children: [{ text: '' }] }]
    default:
      return []
  }
}

/** A picture stands beside lines, not within one. */
function readParagraph({ children }: Paragraph): Element[] {
  const elements: Element[] = []
  let line: Node[] = []
  for (const node of readInlines(children)) {
    if (node['type'] !== 'img') {
      line.push(node)
      continue
    }
    if (line.length > 0) elements.push(paragraph(line))
    elements.push(node as Element)
    line = []
  }
  if (line.length > 0) elements.push(paragraph(line))
  return elements
}

/** The usual quote is text, so its lines are held without paragraphs. */
function readQuote(children: readonly (BlockContent | DefinitionContent)[]): Node[] {
  const blocks = children.flatMap(readBlock)
  if (!blocks.every(({ type }) => type === 'p')) return blocks
  const lines = blocks.flatMap((line, index) =>
    index > 0 ? [{ text: '\n' }, ...line.children] : line.children,
  )
  return lines.length > 0 ? lines : [{ text: '' }]
}

function readList({ ordered, children }: List): Element {
  const items = children.map((item) => {
    const blocks = item.children.flatMap(readBlock)
    const lines = blocks.map((block) => (block.type === 'p' ? { ...block, type: 'lic' } : block))
    return { type: 'li', children: lines.length > 0 ? lines : [{ type: 'lic', children: [{ text: '' }] }] }
  })
  return { type: ordered ? 'ol' : 'ul', children: items }
}

function readCode(code: string, lang: string | null | undefined): Element {
  const children = code.split(/\r\n|\r|\n/).map((line) => ({ type: 'code_line', children: [{ text: line }] }))
  return { type: 'code_block', ...(lang && { lang }), children }
}

function readInlines(nodes: readonly PhrasingContent[], marked: Readonly<Record<string, true>> = {}): Node[] {
  return nodes.flatMap((node): Node | Node[] => {
    switch (node.type) {
      case 'text':
      case 'html':
        return { ...marked, text: node.value }
      case 'inlineCode':
        return { ...marked, code: true, text: node.value }
      case 'break':
        return { text: '\n' }
      case 'strong':
        return readInlines(node.children, { ...marked, bold: true })
      case 'emphasis':
        return readInlines(node.children, { ...marked, italic: true })
      case 'link':
        return isSafeAddress(node.url, 'link')
          ? { type: 'a', url: node.url, children: readLinkText(node.children, marked) }
          : readLinkText(node.children, marked)
      case 'image':
        return isSafeAddress(node.url, 'media')
          ? { type: 'img', url: node.url, ...captionOf(node.alt), children: [{ text: '' }] }
          : { ...marked, text: node.alt ?? '' }
      default:
        return []
    }
  })
}

function captionOf(alt: string | null | undefined): { caption?: Leaf[] } {
  return alt ? { caption: [{ text: alt }] } : {}
}

/** A link holds leaves only: a picture in it becomes its alternative text. */
function readLinkText(nodes: readonly PhrasingContent[], marked: Readonly<Record<string, true>>): Leaf[] {
  const withoutImages = nodes.map((node) =>
    node.type === 'image' ? { type: 'text' as const, value: node.alt ?? '' } : node,
  )
  return leavesOf(readInlines(withoutImages, marked))
}
