import type { AddressUse } from '../../../engine/templates/url-policy.ts'

/** A run of text with its marks. */
export interface Leaf {
  readonly text: string
  readonly [mark: string]: unknown
}

/** A paragraph, a link, a list…: anything that holds other nodes. */
export interface Element {
  readonly type?: unknown
  readonly children: readonly Node[]
  readonly url?: unknown
  readonly [key: string]: unknown
}

export type Node = Leaf | Element

/** Whether a node is text. A node with both text and children is. */
export function isLeaf(node: Node): node is Leaf {
  return Object.hasOwn(node, 'text')
}

/** Use that clients make of the address of an element. */
export function addressUseOf({ type }: Element): AddressUse {
  return type === 'img' ? 'media' : 'link'
}

/** A line of text. */
export function paragraph(children: readonly Node[]): Element {
  return { type: 'p', children }
}

/** All nodes, those inside others too. */
export function countNodes(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (isLeaf(node) ? 0 : countNodes(node.children)), 0)
}

/** Whether a node is a paragraph that says nothing: a blank line. */
export function isBlankLine({ type, children }: Element): boolean {
  return type === 'p' && children.every((child) => isLeaf(child) && child.text === '')
}

/** The leaves below some nodes; everything else about the blocks is lost. */
export function leavesOf(nodes: readonly Node[]): Leaf[] {
  const leaves: Leaf[] = []
  collect(nodes, () => false, leaves)
  return leaves
}

/** Leaves, with links and pictures kept whole: for a place that holds them beside text. */
export function inlinesOf(nodes: readonly Node[]): Node[] {
  const inlines: Node[] = []
  collect(nodes, ({ type }) => type === 'a' || type === 'img', inlines)
  return inlines
}

function collect(nodes: readonly Node[], isKept: (element: Element) => boolean, into: Node[]): void {
  for (const node of nodes) {
    if (isLeaf(node) || isKept(node)) into.push(node)
    else if (isBlankLine(node)) into.push({ text: '\n\n' })
    else if (node.type === 'code_block') into.push({ text: codeOf(node) })
    else collect(node.children, isKept, into)
  }
}

/** The text of a code block, its lines joined. */
export function codeOf(block: Element): string {
  return block.children.map((line) => (isLeaf(line) ? line.text : textOfElement(line))).join('\n')
}

function textOfElement(element: Element): string {
  return leavesOf(element.children)
    .map(({ text }) => text)
    .join('')
}
