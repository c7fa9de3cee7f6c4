import type { ScalarNode } from './yaml-nodes.ts'

/** Thrown where a text is written in another way than the quick reader knows; one for all, as a trace takes time. */
export const notPlain = new Error('written in another way')

export function giveUp(): never {
  throw notPlain
}

/** Beginnings that a scalar without quotes can't have, and those of what is read in another way. */
const otherBeginning = /^(?:-(?:\s|$)|---|\.\.\.|[?:,[\]{}#&*!|>'"%@`])/
const simpleNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const maybeNumber = /^[-+]?(?:\.?\d[\d.eExXoO+_a-fA-F-]*|\.inf|\.nan)$/i
const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])

/** A scalar without quotes, on one line. */
export function plainScalar(source: string, start: number): ScalarNode {
  if (source === '' || otherBeginning.test(source)) giveUp()
  const value = plainValue(source)
  return { kind: 'scalar', value, source, sourceAt: start, start, end: start + source.length }
}

function plainValue(source: string): ScalarNode['value'] {
  const word = words.get(source)
  if (word !== undefined) return word
  if (!maybeNumber.test(source)) return source
  return simpleNumber.test(source) ? Number(source) : giveUp()
}

/** Offset behind the quote that ends a scalar on the line where it begins. */
export function endOfQuoted(text: string, start: number, lineEnd: number): number {
  const quote = text[start]
  for (let at = start + 1; at < lineEnd; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at + 1
      at++
    }
  }
  return giveUp()
}

export function quotedScalar(text: string, start: number, end: number): ScalarNode {
  const inside = text.slice(start + 1, end - 1)
  const isDouble = text[start] === '"'
  const value = isDouble ? unescaped(inside) : inside.replaceAll("''", "'")
  return { kind: 'scalar', value, source: value, sourceAt: offsetOfSource(text, value, start), start, end }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
])

function unescaped(inside: string): string {
  if (!inside.includes('\\')) return inside
  return inside.replaceAll(/\\(.?)/gs, (_, escaped: string) => escapes.get(escaped) ?? giveUp())
}

/** The place where a source stands in the text as it is. */
export const offsetOfSource = (text: string, source: string, start: number): number | undefined =>
  [start, start + 1].find((at) => text.startsWith(source, at))
