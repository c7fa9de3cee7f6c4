import { findNodeAtLocation, getLocation, type Location, parseTree } from 'jsonc-parser'
import type { AccountName } from './account-names.ts'
import { child, kindNamedBy } from './json-names.ts'
import type { Declared, Names, Span } from './occurrence.ts'
import { openPlaceholder } from './placeholders.ts'

/** Something that may be written at a place. */
export interface Suggestion extends Span {
  readonly label: string
  readonly detail: string
  /** Takes the place of the span. */
  readonly text: string
}

/** Characters behind the cursor in which a placeholder ends that is there already. */
const longestName = 200

interface Context {
  readonly names: Names
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
  if (open !== undefined) return placeholders(text, { start: from + open, end: offset }, names)
  const location = getLocation(text, offset)
  const { path, previousNode, isAtPropertyKey } = location
  if (isAtPropertyKey || (previousNode && previousNode.type !== 'string')) return []
  const key = [...path].reverse().find((part) => typeof part === 'string')
  const wanted = key === 'credentialsId' ? accountsFor(location, text, context) : thingsNamedBy(key, names)
  const span = previousNode && { start: previousNode.offset, end: previousNode.offset + previousNode.length }
  return wanted.map((one) => ({
    ...one,
    text: JSON.stringify(one.id),
    ...(span ?? { start: offset, end: offset }),
  }))
}

/** The whole placeholder is replaced, and closed where it is not yet. */
function placeholders(text: string, { start, end: typed }: Span, { declared }: Names): Suggestion[] {
  const [rest] = /^[^{}"\n]*(?=\}\})/.exec(text.slice(typed, typed + longestName)) ?? []
  const [end, close] = rest === undefined ? [typed, '}}'] : [typed + rest.length, '']
  return declared
    .filter(({ kind }) => kind === 'variable')
    .map(({ id, name = id }) => ({
      ...{ start, end, label: name, detail: `variable ${id}` },
      text: `${JSON.stringify(name).slice(1, -1)}${close}`,
    }))
}

interface Named {
  readonly id: string
  readonly label: string
  readonly detail: string
}

function thingsNamedBy(key: string | undefined, { declared }: Names): readonly Named[] {
  const kind = key === undefined ? undefined : kindNamedBy(key)
  return declared.filter((one) => one.kind === kind).map(named)
}

const named = ({ kind, id, name = id }: Declared): Named => ({ id, label: name, detail: `${kind} ${id}` })

function accountsFor({ path }: Location, text: string, context: Context): readonly Named[] {
  const types = context.accountTypesOf(blockTypeAt(text, path))
  return context.accounts
    .filter(({ type }) => types.includes(type))
    .map(({ id, type }) => ({ id, label: id, detail: `account of the type ${type}` }))
}

/** The type of the block around a place. */
export function blockTypeAt(text: string, path: readonly (string | number)[]): string {
  const tree = parseTree(text)
  const block = tree && findNodeAtLocation(tree, path.slice(0, 4))
  return path[0] === 'groups' && path[2] === 'blocks' ? String(child(block, 'type')?.value) : ''
}
