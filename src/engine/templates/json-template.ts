import { escapeToken } from '../../lib/json-pointer.ts'
import type { Scope } from '../model/scope.ts'
import { type Code, noCodes } from '../model/template.ts'
import { deepFreeze, JsonFragment } from './json-fragment.ts'
import { escapeStyleValue, escapeStyleValueWithTexts, placesForTexts } from './style-values.ts'
import { renderText, type TextTemplate } from './text-template.ts'
import { type AddressUse, isSafeAddress, safeAddress } from './url-policy.ts'

/** A JSON value whose texts may hold placeholders. */
export type JsonTemplate<T> =
  /** Nothing in it changes: one frozen piece for every response. */
  | { readonly constant: JsonFragment<T>; readonly codes: readonly Code[] }
  | { readonly constant?: undefined; readonly root: Node; readonly codes: readonly Code[] }

/** A node of the tree; constant subtrees are shared as they are. */
type Node =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'text'; readonly template: TextTemplate }
  | { readonly kind: 'address'; readonly template: TextTemplate; readonly use: AddressUse }
  | {
      readonly kind: 'style'
      readonly template: TextTemplate
      /** Whether the value of each placeholder may hold texts. */
      readonly takesTexts: readonly boolean[]
    }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Node])[] }

/** Options of the compilation of a JSON value. */
export interface JsonCompilation {
  /** Gets each text with its JSON pointer inside the value. */
  readonly compile: (text: string, pointer: string) => TextTemplate
  /** Leaves texts that stand directly in a list as they are: those of settings are data, such as origins. */
  readonly keepsListTexts?: boolean
  /** Use that clients make of the text at a place, where it is an address: an unsafe one is never sent. */
  readonly addressAt?: (pointer: string) => AddressUse | undefined
  /** Whether the text at a place is style rules: values are escaped in them. */
  readonly isStyleAt?: (pointer: string) => boolean
}

/** Prepares every text in a JSON value. */
export function compileJson<T>(value: T, compilation: JsonCompilation): JsonTemplate<T> {
  const codes: Code[] = []
  const compile = (text: string, pointer: string) => {
    const template = compilation.compile(text, pointer)
    for (const code of template.codes) codes.push(code)
    return template
  }
  const root = compileNode(value, undefined, { ...compilation, compile })
  return root
    ? { root, codes: codes.length > 0 ? codes : noCodes }
    : { constant: new JsonFragment(deepFreeze(value)), codes: noCodes }
}

/** A place inside a value; its pointer is only put together on request. */
interface Place {
  readonly outer: Place | undefined
  readonly key: string | number
}

/** Undefined for what stays as it is: most of what drafts hold, so nothing is made for it. */
function compileNode(
  value: unknown,
  place: Place | undefined,
  compilation: JsonCompilation,
): Node | undefined {
  if (typeof value === 'string') return compileString(value, place, compilation)
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value)
    ? compileList(value, place, compilation)
    : compileObject(value as Record<string, unknown>, place, compilation)
}

function compileString(
  text: string,
  place: Place | undefined,
  { compile, addressAt, isStyleAt }: JsonCompilation,
): Node | undefined {
  if (!text.includes('{{') && isSafeAddress(text, 'link')) return undefined
  const pointer = pointerTo(place)
  const template = compile(text, pointer)
  const use = addressAt?.(pointer)
  if (use && (template.constant === undefined || !isSafeAddress(text, use)))
    return { kind: 'address', template, use }
  if (template.constant !== undefined) return undefined
  return isStyleAt?.(pointer)
    ? { kind: 'style', template, takesTexts: placesForTexts(template) }
    : { kind: 'text', template }
}

function compileList(
  list: readonly unknown[],
  outer: Place | undefined,
  compilation: JsonCompilation,
): Node | undefined {
  let items: Node[] | undefined
  for (let key = 0; key < list.length; key++) {
    const item = list[key]
    const isKept = compilation.keepsListTexts === true && typeof item === 'string'
    const node = isKept ? undefined : compileNode(item, { outer, key }, compilation)
    if (node) items ??= list.slice(0, key).map(constant)
    items?.push(node ?? constant(item))
  }
  return items && { kind: 'list', items }
}

function compileObject(
  object: Record<string, unknown>,
  outer: Place | undefined,
  compilation: JsonCompilation,
): Node | undefined {
  let nodes: Map<string, Node> | undefined
  // Of objects with many keys, a list of them takes much longer than the keys themselves.
  for (const key in object) {
    const node = compileNode(object[key], { outer, key }, compilation)
    if (!node) continue
    nodes ??= new Map()
    nodes.set(key, node)
  }
  if (!nodes) return undefined
  const entries = Object.entries(object).map(
    ([key, child]) => [key, nodes.get(key) ?? constant(child)] as const,
  )
  return { kind: 'object', entries }
}

const constant = (value: unknown): Node => ({ kind: 'constant', value })

function pointerTo(place: Place | undefined): string {
  if (!place) return ''
  const { outer, key } = place
  return `${pointerTo(outer)}/${escapeToken(key)}`
}

/** Renders every text of the value with the present variables. */
export function renderJson<T>(template: JsonTemplate<T>, scope: Scope): JsonFragment<T> {
  return template.constant ?? new JsonFragment(renderNode(template.root, scope) as T)
}

function renderNode(node: Node, scope: Scope): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'text':
      return renderText(node.template, scope)
    case 'address':
      return safeAddress(renderText(node.template, scope), node.use, scope)
    case 'style':
      return renderStyle(node, scope)
    case 'list':
      return node.items.map((item) => renderNode(item, scope))
    case 'object':
      return Object.fromEntries(node.entries.map(([key, child]) => [key, renderNode(child, scope)]))
  }
}

function renderStyle({ template, takesTexts }: Extract<Node, { kind: 'style' }>, scope: Scope): string {
  let index = 0
  return renderText(template, scope, (value) => {
    const takesText = takesTexts[index]
    index += 1
    return takesText ? escapeStyleValueWithTexts(value) : escapeStyleValue(value)
  })
}
