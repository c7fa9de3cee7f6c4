import { fenceFor, inlineMarkdown } from './inline-markdown.ts'
import { removeScriptDestinations } from './link-destination.ts'
import { codeOf, type Element, isBlankLine, isLeaf, type Node } from './nodes.ts'

/** Margin of the lines of a block: a bullet on the first one, blanks below it. */
interface Margin {
  readonly first: string
  readonly rest: string
}

type BlockWriter = (block: Element, margin: Margin, lines: string[]) => void

/** Blocks that nothing needs to stand between: they are parted by a line break instead of a blank line. */
const lineTypes: ReadonlySet<unknown> = new Set(['p', 'lic', 'li'])

const writers: ReadonlyMap<unknown, BlockWriter> = new Map<unknown, BlockWriter>([
  ['p', writeLine],
  ['lic', writeLine],
  ['code_line', writeLine],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, BlockWriter] => [
    `h${level}`,
    ({ children }, margin, lines) =>
      writeText(`${'#'.repeat(level)} ${inlineMarkdown(children)}`, margin, lines),
  ]),
  ['ul', (block, margin, lines) => writeList(block, () => '* ', margin, lines)],
  ['ol', (block, margin, lines) => writeList(block, (index) => `${index + 1}. `, margin, lines)],
  ['li', (block, margin, lines) => writeItem(block, '* ', margin, lines)],
  [
    'blockquote',
    ({ children }, { first, rest }, lines) =>
      writeBlocks(children, { first: `${first}> `, rest: `${rest}> ` }, lines),
  ],
  ['code_block', writeCode],
  ['hr', (_, margin, lines) => writeText('***', margin, lines)],
])

/**
 * Writes nodes as markdown (docs/behaviour/bubbles.md, "Markdown"). Text is never escaped; of an unknown element only
 * the content is written.
 */
export function toMarkdown(nodes: readonly Node[]): string {
  const lines: string[] = []
  writeBlocks(nodes, { first: '', rest: '' }, lines)
  const markdown = lines.join('\n')
  return removeScriptDestinations(markdown.endsWith('\n') ? markdown.slice(0, -1) : markdown)
}

function writeBlocks(nodes: readonly Node[], margin: Margin, lines: string[]): void {
  const blocks = blocksOf(nodes)
  if (blocks.length === 0) writeText('', margin, lines)
  for (const [index, block] of blocks.entries()) {
    const above = blocks[index - 1]
    if (!above) {
      writers.get(block.type)?.(block, margin, lines)
      continue
    }
    if (!lineTypes.has(above.type) && !lineTypes.has(block.type)) lines.push(margin.rest.trimEnd())
    writers.get(block.type)?.(block, { ...margin, first: margin.rest }, lines)
  }
}

/** The blocks among some nodes; text, links and pictures that stand side by side outside of a line make one. */
function blocksOf(nodes: readonly Node[]): Element[] {
  const blocks: Element[] = []
  let line: Node[] | undefined
  for (const node of nodes) {
    if (isLeaf(node) || node.type === 'a' || node.type === 'img') {
      if (!line) {
        line = []
        blocks.push({ type: 'p', children: line })
      }
      line.push(node)
      continue
    }
    line = undefined
    if (writers.has(node.type)) {
      if (!isEmptyList(node)) blocks.push(node)
      continue
    }
    for (const block of blocksOf(node.children)) if (!isBlankLine(block)) blocks.push(block)
  }
  return blocks
}

function isEmptyList({ type, children }: Element): boolean {
  return (type === 'ul' || type === 'ol') && children.length === 0
}

function writeText(text: string, { first, rest }: Margin, lines: string[]): void {
  for (const [index, line] of text.split('\n').entries()) {
    const margin = index === 0 ? first : rest
    lines.push(line === '' ? margin.trimEnd() : margin + line)
  }
}

function writeLine({ children }: Element, margin: Margin, lines: string[]): void {
  writeText(inlineMarkdown(children), margin, lines)
}

function writeList(
  { children }: Element,
  bullet: (index: number) => string,
  { first, rest }: Margin,
  lines: string[],
): void {
  for (const [index, item] of children.entries()) {
    const block = isLeaf(item) ? { children: [item] } : item
    writeItem(block, bullet(index), { first: index === 0 ? first : rest, rest }, lines)
  }
}

function writeItem({ children }: Element, bullet: string, { first, rest }: Margin, lines: string[]): void {
  writeBlocks(children, { first: first + bullet, rest: rest + ' '.repeat(bullet.length) }, lines)
}

function writeCode(block: Element, margin: Margin, lines: string[]): void {
  const code = codeOf(block)
  const fence = fenceFor(code, 3)
  const lang = typeof block['lang'] === 'string' ? block['lang'] : ''
  writeText(`${fence}${lang}\n${code}\n${fence}`, margin, lines)
}
