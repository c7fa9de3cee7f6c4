import type { Scope } from '../../../engine/model/scope.ts'
import {
  inlineCodeText,
  type Placeholder,
  renderInlineCode,
  type TextTemplate,
} from '../../../engine/templates/text-template.ts'
import { safeAddress } from '../../../engine/templates/url-policy.ts'
import { valueToText } from '../../../engine/values/value.ts'
import type { ElementTemplate, LeafMarks, LeafTemplate, NodeTemplate, RichText } from './compile.ts'
import { readMarkdown } from './from-markdown.ts'
import {
  addressUseOf,
  type Element,
  inlinesOf,
  isLeaf,
  type Leaf,
  leavesOf,
  type Node,
  paragraph,
} from './nodes.ts'
import { createReadingBudget, isPlain, type ReadingBudget } from './reading-cost.ts'

/** Place of a leaf, which decides what a value may contain: blocks, links and pictures, or text only. */
type Place = 'top' | 'line' | 'link'

/**
 * Fills in the values (docs/behaviour/bubbles.md, "Text bubble"). A value that has an element to itself may replace it by
 * blocks; any other value becomes text within its line.
 */
export function expandRichText(richText: RichText, scope: Scope, isLegacy: boolean): readonly Node[] {
  if (richText.constant) return richText.constant
  return expandNodes(richText.nodes, 'top', new RichValues(scope, isLegacy))
}

function expandNodes(templates: readonly NodeTemplate[], place: Place, values: RichValues): Node[] {
  const nodes: Node[] = []
  for (const template of templates) {
    if (template.kind === 'constant') nodes.push(template.node)
    else for (const node of expandNode(template, place, values)) nodes.push(node)
  }
  return nodes
}

function expandNode(
  template: LeafTemplate | ElementTemplate,
  place: Place,
  values: RichValues,
): readonly Node[] {
  if (template.kind === 'leaf') return expandLeaf(template, place, values)
  const element = template.url
    ? { ...template.element, url: values.url(template.url, template.element) }
    : template.element
  if (template.lone) return expandLine(element, template.lone, values)
  const within = place === 'link' || element['type'] === 'a' ? 'link' : 'line'
  return [{ ...element, children: expandNodes(template.children, within, values) }]
}

/** An element that is nothing but the place of a value: an empty one leaves no trace of it. */
function expandLine(
  element: Element,
  { placeholder, marks }: NonNullable<ElementTemplate['lone']>,
  values: RichValues,
): readonly Node[] {
  const nodes = values.nodes(placeholder)
  const [first] = nodes
  if (!first) return nodes
  if (marks) return [{ ...element, children: withMarks(leavesOf(nodes), marks) }]
  const isLine = element.type === 'p' || element.type === 'lic'
  if (!isLine && (nodes.length > 1 || !isParagraph(first))) return nodes
  return nodes.map((node) => (isParagraph(node) ? { ...element, children: node.children } : node))
}

function expandLeaf(
  { lone, leaf, parts, marks }: LeafTemplate,
  place: Place,
  values: RichValues,
): readonly Node[] {
  if (lone && !marks && place !== 'link') {
    const nodes = values.nodes(lone)
    return place === 'top' ? nodes : inlinesOf(nodes)
  }
  const leaves: Leaf[] = []
  for (const part of parts) {
    if (typeof part === 'string') leaves.push(values.leaf(leaf, part))
    else if ('text' in part) leaves.push(part)
    else leaves.push(...withMarks(values.leaves(part), marks))
  }
  return leaves
}

function isParagraph(node: Node): node is Element {
  return !isLeaf(node) && node.type === 'p'
}

/** The marks of a value itself win. */
function withMarks(leaves: Leaf[], marks: LeafMarks | undefined): Leaf[] {
  return marks ? leaves.map((leaf) => ({ ...marks, ...leaf })) : leaves
}

/** Length of a value that is a line of text, without the text. */
const lineLength = JSON.stringify([paragraph([{ text: '' }])]).length

/** Whether a value is one line of text, which no parser has to read. */
const isLine = (text: string) => text !== '' && isPlain(text)

/** The values that one rich text is filled in with. A text that comes again is not read again. */
class RichValues {
  readonly #scope: Scope
  readonly #isLegacy: boolean
  #budget: ReadingBudget | undefined
  readonly #read = new Map<string, { readonly nodes: readonly Node[]; readonly length: number }>()

  constructor(scope: Scope, isLegacy: boolean) {
    this.#scope = scope
    this.#isLegacy = isLegacy
  }

  nodes(placeholder: Placeholder): readonly Node[] {
    return this.#nodesOf(this.#textOf(placeholder))
  }

  #nodesOf(text: string): readonly Node[] {
    const { nodes, length } = this.#read.get(text) ?? this.#keep(text)
    this.#scope.spend(length)
    return nodes
  }

  /** Within a line. Most values are a line of text themselves, which is no node of its own then. */
  leaves(placeholder: Placeholder): Leaf[] {
    const text = this.#textOf(placeholder)
    if (!isLine(text)) return leavesOf(this.#nodesOf(text))
    this.#scope.spend(lineLength + text.length)
    return [{ text }]
  }

  leaf(leaf: Leaf, text: string): Leaf {
    this.#scope.spend(Object.keys(leaf).length)
    return { ...leaf, text }
  }

  url({ parts }: TextTemplate, element: Element): string {
    let url = ''
    for (const part of parts) {
      // A list is its JSON here, in every version.
      const added = typeof part === 'string' ? part : renderPlaceholderInBubble(part, this.#scope)
      this.#scope.spend(added.length)
      url += added
    }
    return safeAddress(url, addressUseOf(element), this.#scope)
  }

  #keep(text: string) {
    const isOneLine = isLine(text)
    if (!isOneLine) this.#budget ??= createReadingBudget()
    const nodes = isOneLine ? [paragraph([{ text }])] : readMarkdown(text, this.#budget)
    const kept = { nodes, length: isOneLine ? lineLength + text.length : JSON.stringify(nodes).length }
    this.#read.set(text, kept)
    return kept
  }

  #textOf(placeholder: Placeholder): string {
    if (!this.#isLegacy) return renderPlaceholderInBubble(placeholder, this.#scope)
    if (placeholder.kind === 'code') {
      return renderInlineCode(placeholder.code, this.#scope, (result) => textOfSomething(lastOf(result)))
    }
    return valueToText(lastOf(this.#scope.variables.read(placeholder.ref)))
  }
}

function renderPlaceholderInBubble(placeholder: Placeholder, scope: Scope): string {
  if (placeholder.kind === 'code') return renderInlineCode(placeholder.code, scope, textOfSomething)
  return valueToText(scope.variables.read(placeholder.ref))
}

/** In a bubble, code that yields nothing shows nothing. */
function textOfSomething(result: unknown): string {
  return result === undefined || result === null ? '' : inlineCodeText(result)
}

/** Versions below 6 show the last element of a list (docs/behaviour/walk.md, "Old versions"). */
function lastOf<Result>(value: Result | readonly Result[]): Result | null {
  return Array.isArray(value) ? (value.at(-1) ?? null) : (value as Result)
}
