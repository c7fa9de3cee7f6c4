import { invalid, type PatternCursor } from './pattern-cursor.ts'
import { type Escaped, readEscape } from './pattern-escapes.ts'
import { classOf, literal, range } from './pattern-output.ts'

/** Reads a class whose bracket is open already. */
export function readClass(cursor: PatternCursor): string {
  const isNegated = cursor.eat('^')
  let content = ''
  while (!cursor.eat(']')) content += readMember(cursor)
  return classOf(content, isNegated)
}

/** One character, one set, or a range. */
function readMember(cursor: PatternCursor): string {
  const from = readAtom(cursor)
  if (!cursor.take(/-(?!\])/y)) return write(from, cursor)
  const to = readAtom(cursor)
  if (from.set === undefined && to.set === undefined) {
    if (from.code > to.code) throw invalid('a range of characters is upside down')
    return range(from.code, to.code, cursor.isUnicode)
  }
  if (cursor.isUnicode) throw invalid('a range of characters starts or ends with a class')
  return write(from, cursor) + literal(0x2d, false) + write(to, cursor)
}

function write(atom: Escaped, { isUnicode }: PatternCursor): string {
  return atom.set === undefined ? literal(atom.code, isUnicode) : atom.set
}

function readAtom(cursor: PatternCursor): Escaped {
  if (cursor.isDone) throw invalid('a class of characters is not closed')
  if (!cursor.eat('\\')) return { code: cursor.next() }
  if (cursor.eat('b')) return { code: 0x08 }
  // Only here, and by the old rules, digits count as letters behind `c`.
  const [, sign] = (!cursor.isUnicode && cursor.take(/c([\d_])/y)) || []
  return sign ? { code: sign.charCodeAt(0) % 32 } : readEscape(cursor)
}
