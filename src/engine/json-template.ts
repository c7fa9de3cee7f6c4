import { type AddressUse, isSafeAddress, safeAddress } from './addresses.ts'
import { deepFreeze, Piece } from './piece.ts'
import type { Scope } from './scope.ts'
import { renderText, type TextTemplate } from './text-template.ts'

/** A JSON value whose texts may hold placeholders. */
export type JsonTemplate<T> =
  /** Nothing in it changes: one frozen piece for every response. */
  { readonly constant: Piece<T> } | { readonly constant?: undefined; readonly root: Node }

/** A node of the tree; constant subtrees are shared as they are. */
type Node =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'text'; readonly template: TextTemplate }
  | { readonly kind: 'address'; readonly template: TextTemplate; readonly use: AddressUse }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Node])[] }

/** How a JSON value is prepared. */
export interface JsonCompilation {
  /** Gets each text with its JSON pointer inside the value. */
  readonly compile: (text: string, pointer: string) => TextTemplate
  /** Leaves texts that stand directly in a list as they are: those of settings are data, such as origins. */
  readonly keepsListTexts?: boolean
  /** What clients do with the text at a place, where it is an address: an unsafe one is never sent. */
  readonly addressAt?: (pointer: string) => AddressUse | undefined
}

/** Prepares every text in a JSON value. */
export function compileJson<T>(value: T, compilation: JsonCompilation): JsonTemplate<T> {
  const root = compileNode(value, '', compilation)
  return root.kind === 'constant' ? { constant: new Piece(deepFreeze(value)) } : { root }
}

function compileNode(value: unknown, pointer: string, compilation: JsonCompilation): Node {
  if (typeof value === 'string') {
    const template = compilation.compile(value, pointer)
    const use = compilation.addressAt?.(pointer)
    if (use && (template.constant === undefined || !isSafeAddress(template.constant, use)))
      return { kind: 'address', template, use }
    return template.constant === undefined ? { kind: 'text', template } : { kind: 'constant', value }
  }
  if (typeof value !== 'object' || value === null) return { kind: 'constant', value }
  if (Array.isArray(value)) {
    const items = value.map((item, index): Node => {
      const isKept = compilation.keepsListTexts === true && typeof item === 'string'
      return isKept
        ? { kind: 'constant', value: item }
        : compileNode(item, `${pointer}/${index}`, compilation)
    })
    return items.every(isConstant) ? { kind: 'constant', value } : { kind: 'list', items }
  }
  const entries = Object.entries(value).map(
    ([key, child]) => [key, compileNode(child, `${pointer}/${escapePointer(key)}`, compilation)] as const,
  )
  return entries.every(([, node]) => isConstant(node))
    ? { kind: 'constant', value }
    : { kind: 'object', entries }
}

const isConstant = (node: Node) => node.kind === 'constant'

/** Escapes a key for use in a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Renders every text of the value with the present variables. */
export function renderJson<T>(template: JsonTemplate<T>, scope: Scope): Piece<T> {
  return template.constant ?? new Piece(renderNode(template.root, scope) as T)
}

function renderNode(node: Node, scope: Scope): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'text':
      return renderText(node.template, scope)
    case 'address':
      return safeAddress(renderText(node.template, scope), node.use, scope)
    case 'list':
      return node.items.map((item) => renderNode(item, scope))
    case 'object':
      return Object.fromEntries(node.entries.map(([key, child]) => [key, renderNode(child, scope)]))
  }
}
