import type { Scope } from '../../../engine/model/scope.ts'
import type { ElementTemplate, LeafMarks, LeafTemplate, NodeTemplate, RichText } from './compile.ts'
import { type Element, inlinesOf, isLeaf, type Leaf, leavesOf, type Node } from './nodes.ts'
import { RichValues } from './rich-values.ts'

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
    else leaves.push(...withMarks(leavesOf(values.nodes(part)), marks))
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
