import { isDeepStrictEqual } from 'node:util'
import type { TextBubbleBlock } from '../../../schemas/blocks/bubbles.ts'
import { readMarkdownTemplate } from '../../blocks/bubbles/rich-text/markdown-template.ts'
import { isLeaf, type Node } from '../../blocks/bubbles/rich-text/nodes.ts'
import { toMarkdown } from '../../blocks/bubbles/rich-text/to-markdown.ts'
import { placeholdersIn } from '../../engine/templates/parse-template.ts'

/** The content of a text bubble in the shortest form that shows the same. */
type WrittenText =
  | { readonly markdown: string }
  /** Each line a paragraph, without markup. */
  | { readonly plain: string }
  | { readonly richText: unknown }

/** Finds it; undefined for a content that shows nothing. */
export function writeText(content: TextBubbleBlock['content']): WrittenText | undefined {
  if (content === undefined) return undefined
  if (typeof content === 'string') return shortest(content.split(/\r?\n/).map((text) => line([{ text }])))
  if (content.richText) return shortest(content.richText.map(withoutIds))
  return content.markdown === undefined ? undefined : { markdown: content.markdown.trimEnd() }
}

const line = (children: readonly unknown[]) => ({ type: 'p', children })

function shortest(given: readonly unknown[]): WrittenText {
  const richText = { richText: given }
  if (given.length === 0 || !given.every(isNode)) return richText
  const nodes = given.map(joined)
  const markdown = asMarkdown(nodes, toMarkdown(nodes))
  if (markdown !== undefined) return { markdown }
  const lines = nodes.map(plainLine)
  if (lines.every((text) => text !== undefined)) return { plain: lines.join('\n') }
  const escaped = asMarkdown(nodes, toMarkdown(nodes.map(withEscapes)))
  return escaped === undefined ? richText : { markdown: escaped }
}

function asMarkdown(nodes: readonly Node[], markdown: string): string | undefined {
  return isDeepStrictEqual(readMarkdownTemplate(markdown), nodes) ? markdown : undefined
}

/** The text of a paragraph that has nothing else. */
function plainLine(node: Node): string | undefined {
  const { type, children, ...more } = node as { type?: unknown; children?: readonly unknown[] }
  const [leaf, ...others] = children ?? []
  const { text, ...marks } = Object(leaf) as { text?: unknown }
  const isPlain = type === 'p' && others.length === 0 && isBare(more) && isBare(marks)
  return isPlain && typeof text === 'string' && !/[\r\n]/.test(text) ? text : undefined
}

const isBare = (object: object) => Object.keys(object).length === 0

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether all of it is as text bubbles understand it. */
function isNode(value: unknown): value is Node {
  if (!isObject(value)) return false
  if ('text' in value) return typeof value['text'] === 'string'
  const { children } = value
  return Array.isArray(children) && children.every(isNode)
}

/** Editors number the nodes, which nothing reads. */
function withoutIds(node: unknown): unknown {
  if (!isObject(node)) return node
  const { id: _, children, ...rest } = node
  return Array.isArray(children) ? { ...rest, children: children.map(withoutIds) } : rest
}

/** Editors cut texts where something was changed once, and put nothing around links. */
function joined(node: Node): Node {
  if (isLeaf(node)) return node
  const children: Node[] = []
  for (const child of node.children.map(joined)) {
    const last = children.at(-1)
    const isSame =
      last &&
      isLeaf(last) &&
      isLeaf(child) &&
      isDeepStrictEqual({ ...last, text: '' }, { ...child, text: '' })
    if (isSame && !isLone(last) && !isLone(child))
      children.splice(-1, 1, { ...last, text: last.text + child.text })
    else children.push(child)
  }
  const shown = children.filter((child) => !isLeaf(child) || child.text !== '')
  const [only, ...others] = shown
  const isKept = !only || (others.length === 0 && isLone(only))
  return { ...node, children: isKept ? children : shown }
}

/** A value that has a leaf to itself may bring more than text. */
const isLone = (node: Node) => isLeaf(node) && /^\{\{.*\}\}$/s.test(node.text)

function withEscapes(node: Node): Node {
  return isLeaf(node)
    ? { ...node, text: escaped(node.text) }
    : { ...node, children: node.children.map(withEscapes) }
}

/** Placeholders stay as they are: nothing in them is markup. */
function escaped(text: string): string {
  let written = ''
  let from = 0
  for (const placeholder of placeholdersIn(text)) {
    written +=
      escapedLiteral(text.slice(from, placeholder.from)) + text.slice(placeholder.from, placeholder.to)
    from = placeholder.to
  }
  return written + escapedLiteral(text.slice(from))
}

const escapedLiteral = (text: string) =>
  text.replace(/[\\`*_[\]<&]/g, '\\$&').replace(/^(\s*)([#>+-]|\d+[.)])/gm, (_, blanks, mark) => {
    const last = mark.length - 1
    return `${blanks}${mark.slice(0, last)}\\${mark.slice(last)}`
  })
