import { beyond, invalid, type PatternCursor } from './pattern-cursor.ts'

/** What stands behind a backslash: one character, or what goes into a class in its place. */
export type Escaped = { readonly code: number; readonly set?: undefined } | { readonly set: string }

const blanks =
  '\\t\\n\\v\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}'
const noBlanks =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}'

/** The classes of JavaScript. Its blanks are more than those of RE2. */
const sets: ReadonlyMap<string, string> = new Map([
  ['d', '\\d'],
  ['D', '\\D'],
  ['w', '\\w'],
  ['W', '\\W'],
  ['s', blanks],
  ['S', noBlanks],
])

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
])

/** Reads what stands behind a backslash, in a class or out of it. */
export function readEscape(cursor: PatternCursor): Escaped {
  const [set] = cursor.take(/[dDwWsS]/y) ?? []
  if (set) return { set: sets.get(set) ?? '' }
  if (cursor.isUnicode && cursor.take(/(?=[pP])/y)) return { set: readProperty(cursor) }
  const [control] = cursor.take(/[tnvfr]/y) ?? []
  if (control) return { code: controls.get(control) ?? 0 }
  return { code: cursor.isUnicode ? readUnicodeCode(cursor) : readCode(cursor) }
}

/** Characters by their number, which both modes read alike. */
function readNumbered(cursor: PatternCursor): number | undefined {
  if (cursor.take(/0(?!\d)/y)) return 0
  const [, letter] = cursor.take(/c([A-Za-z])/y) ?? []
  if (letter) return letter.charCodeAt(0) % 32
  const [, short, long] = cursor.take(/x([\da-fA-F]{2})|u([\da-fA-F]{4})/y) ?? []
  const digits = short ?? long
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** Old rules: what means nothing stands for itself. */
function readCode(cursor: PatternCursor): number {
  const numbered = readNumbered(cursor)
  if (numbered !== undefined) return numbered
  const [octal] = cursor.take(/[0-3][0-7]{0,2}|[4-7][0-7]?/y) ?? []
  if (octal) return Number.parseInt(octal, 8)
  // The backslash itself: the `c` comes next.
  if (cursor.take(/(?=c)/y)) return 0x5c
  if (cursor.isDone) throw invalid('it ends with a backslash')
  return cursor.next()
}

function readUnicodeCode(cursor: PatternCursor): number {
  const [, high, low] = cursor.take(/u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iy) ?? []
  if (high && low) {
    return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0
  }
  const numbered = readNumbered(cursor)
  if (numbered !== undefined) return numbered
  const [, point] = cursor.take(/u\{([\da-fA-F]+)\}/y) ?? []
  const code = Number.parseInt(point ?? '', 16)
  if (code <= 0x10ffff) return code
  const [itself] = cursor.take(/[\^$\\.*+?()[\]{}|/-]/y) ?? []
  if (itself === undefined) throw invalid('a backslash stands before a character that needs none')
  return itself.charCodeAt(0)
}

/** `\p{Name}` or `\p{Key=Name}`; which names there are is for the engine to say. */
function readProperty(cursor: PatternCursor): string {
  const [, letter, key, name] = cursor.take(/([pP])\{(?:(\w+)=)?(\w+)\}/y) ?? []
  if (name === undefined) throw invalid('a character property has no name')
  if (key !== undefined && !/^(?:gc|General_Category|sc|Script)$/.test(key)) {
    throw beyond(`the character property "${key}" is not available`)
  }
  return `\\${letter}{${name}}`
}
