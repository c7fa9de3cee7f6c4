import type { CompileContext } from '../../../engine/model/block-handler.ts'
import { deepFreeze } from '../../../engine/templates/json-fragment.ts'
import type { Placeholder, TextTemplate } from '../../../engine/templates/text-template.ts'
import { isSafeAddress } from '../../../engine/templates/url-policy.ts'
import { addressUseOf, type Element, type Leaf, type Node } from './nodes.ts'

type TextCompiler = Pick<CompileContext, 'text'>

/** Marks that a leaf hands on to the values in it. */
export type LeafMarks = Readonly<Record<string, unknown>>

/** A leaf whose text holds placeholders. */
export interface LeafTemplate {
  readonly kind: 'leaf'
  /** The placeholder when the text is exactly one. */
  readonly lone: Placeholder | undefined
  /** Leaf of the definition, for its marks and other keys. */
  readonly leaf: Leaf
  /** Pieces between the placeholders: a leaf of its own, or its text where a leaf takes much room. */
  readonly parts: readonly (Leaf | string | Placeholder)[]
  /** Undefined when there are none. */
  readonly marks: LeafMarks | undefined
}

/** An element with placeholders somewhere in it. */
export interface ElementTemplate {
  readonly kind: 'element'
  /** Element of the definition, for its type and other keys. */
  readonly element: Element
  readonly url: TextTemplate | undefined
  readonly children: readonly NodeTemplate[]
  /** Set when the element is nothing but the place of one value, which may then bring blocks of its own. */
  readonly lone: { readonly placeholder: Placeholder; readonly marks: LeafMarks | undefined } | undefined
}

export type NodeTemplate = { readonly kind: 'constant'; readonly node: Node } | LeafTemplate | ElementTemplate

/** A rich text, ready to be filled in. */
export type RichText =
  | { readonly constant: readonly Node[] }
  | { readonly constant?: undefined; readonly nodes: readonly NodeTemplate[] }

/** Keys of a leaf up to which what is between its placeholders is made once: drafts are kept, and bounded by their text. */
const mostKeys = 8

const handedOn = ['bold', 'italic', 'underline'] as const

/** Cuts a rich text at its placeholders. Values that are no nodes are left out. */
export function compileRichText(richText: readonly unknown[], context: TextCompiler, at: string): RichText {
  const nodes = compileNodes(richText, context, at)
  const constant = constantsOf(nodes)
  return constant ? { constant } : { nodes }
}

function compileNodes(nodes: unknown, context: TextCompiler, at: string): NodeTemplate[] {
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: unknown, index) => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return []
    const place = `${at}/${index}`
    return Object.hasOwn(node, 'text')
      ? compileLeaf(node, context, place)
      : compileElement(node, context, place)
  })
}

function compileLeaf(given: object, context: TextCompiler, at: string): NodeTemplate {
  const { text }: { text?: unknown } = given
  const leaf: Leaf = { ...withoutAddress(given), text: typeof text === 'string' ? text : '' }
  const template = context.text(leaf.text, `${at}/text`)
  if (template.constant !== undefined) return { kind: 'constant', node: deepFreeze(leaf) }
  const marks = handedOn.filter((mark) => leaf[mark]).map((mark) => [mark, leaf[mark]] as const)
  const isNarrow = Object.keys(leaf).length <= mostKeys
  return {
    kind: 'leaf',
    lone: template.lone,
    leaf,
    parts: isNarrow ? template.parts.map((part) => leafOf(part, leaf)) : template.parts,
    marks: marks.length > 0 ? Object.fromEntries(marks) : undefined,
  }
}

function leafOf(part: string | Placeholder, leaf: Leaf): Leaf | Placeholder {
  return typeof part === 'string' ? deepFreeze({ ...leaf, text: part }) : part
}

function compileElement(given: object, context: TextCompiler, at: string): NodeTemplate {
  const { url, children: givenChildren }: { url?: unknown; children?: unknown } = given
  const children = compileNodes(givenChildren, context, `${at}/children`)
  const template = typeof url === 'string' ? context.text(url, `${at}/url`) : undefined
  const constant = constantsOf(children)
  const element: Element = { ...withoutAddress(given), ...(template && { url }), children: constant ?? [] }
  if (constant && (!template || isSafeConstant(template, element)))
    return { kind: 'constant', node: deepFreeze(element) }
  return { kind: 'element', element, url: template, children, lone: loneOf(element, children) }
}

function isSafeConstant({ constant }: TextTemplate, element: Element): boolean {
  return constant !== undefined && isSafeAddress(constant, addressUseOf(element))
}

/** An address that is no text, or stands beside text, has not been checked. */
function withoutAddress(node: object): object {
  if (!Object.hasOwn(node, 'url')) return node
  const { url: _, ...rest } = node as { url: unknown }
  return rest
}

/** A link is never given up for what it holds. */
function loneOf({ type }: Element, [only, ...others]: readonly NodeTemplate[]): ElementTemplate['lone'] {
  if (type === 'a' || others.length > 0 || only?.kind !== 'leaf') return undefined
  return only.lone && { placeholder: only.lone, marks: only.marks }
}

function constantsOf(templates: readonly NodeTemplate[]): Node[] | undefined {
  const nodes: Node[] = []
  for (const template of templates) {
    if (template.kind !== 'constant') return undefined
    nodes.push(template.node)
  }
  return nodes
}
