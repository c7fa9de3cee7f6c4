import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser'
import type { AccountName } from './account-names.ts'
import { child, kindNamedBy } from './json-names.ts'
import type { Declared, NamedKind, NamesOfText, TextRange } from './occurrence.ts'
import { openPlaceholder } from './placeholders.ts'

/** Something that may be written at a place. */
export interface Suggestion extends TextRange {
  readonly label: string
  readonly detail: string
  /** Takes the place of the span. */
  readonly text: string
}

/** Characters behind the cursor in which a placeholder ends that is there already. */
const longestName = 200

export interface Context {
  readonly names: NamesOfText
  /** Accounts of the operator, by type. */
  readonly accounts: readonly AccountName[]
  /** Types of accounts that a type of block calls with. */
  accountTypesOf(blockType: string): readonly string[]
}

/** Suggestions for an offset of the JSON of a flow: names of variables in texts, and ids of what an option names. */
export function completeJson(text: string, offset: number, context: Context): readonly Suggestion[] {
  const { names } = context
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const open = openPlaceholder(text.slice(from, offset))
  if (open !== undefined) return placeholders(text, { start: from + open, end: offset }, names).map(asJson)
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset)
  if (isAtPropertyKey || (previousNode && previousNode.type !== 'string')) return []
  const key = [...path].reverse().find((part) => typeof part === 'string')
  const wanted =
    key === 'credentialsId'
      ? accountsFor(blockTypeAt(text, path), context)
      : thingsOf(key === undefined ? undefined : kindNamedBy(key), names)
  const span = previousNode && { start: previousNode.offset, end: previousNode.offset + previousNode.length }
  return wanted.map((one) => ({
    ...one,
    text: JSON.stringify(one.id),
    ...(span ?? { start: offset, end: offset }),
  }))
}

/** The whole placeholder is replaced, and closed where it is not yet. */
export function placeholders(
  text: string,
  { start, end: typed }: TextRange,
  { declared }: NamesOfText,
): Suggestion[] {
  const [rest] = /^[^{}"\n]*(?=\}\})/.exec(text.slice(typed, typed + longestName)) ?? []
  const [end, close] = rest === undefined ? [typed, '}}'] : [typed + rest.length, '']
  return declared
    .filter(({ kind }) => kind === 'variable')
    .map(({ id, name = id }) => ({
      ...{ start, end, label: name, detail: `variable ${id}` },
      text: `${name}${close}`,
    }))
}

const asJson = (one: Suggestion) => ({ ...one, text: JSON.stringify(one.text).slice(1, -1) })

interface Named {
  readonly id: string
  readonly label: string
  readonly detail: string
}

/** Parts of a flow that are of one kind. */
export function thingsOf(kind: NamedKind | undefined, { declared }: NamesOfText): readonly Named[] {
  return declared.filter((one) => one.kind === kind).map(named)
}

const named = ({ kind, id, name = id }: Declared): Named => ({ id, label: name, detail: `${kind} ${id}` })

/** Accounts that a type of block can call with. */
export function accountsFor(blockType: string, { accounts, accountTypesOf }: Context): readonly Named[] {
  const types = accountTypesOf(blockType)
  return accounts
    .filter(({ type }) => types.includes(type))
    .map(({ id, type }) => ({ id, label: id, detail: `account of the type ${type}` }))
}

/** The type of the block around a place. */
export function blockTypeAt(text: string, path: readonly (string | number)[]): string {
  const tree = parseTree(text)
  const block = tree && findNodeAtLocation(tree, path.slice(0, 4))
  return path[0] === 'groups' && path[2] === 'blocks' ? String(child(block, 'type')?.value) : ''
}
