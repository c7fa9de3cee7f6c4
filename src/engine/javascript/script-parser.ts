import { Parser, type TokenType, tokTypes } from 'acorn'

export { tokTypes } from 'acorn'

/** Members that the parser offers to extensions, beyond its published types. */
interface Tokenizer {
  pos: number
  raise(position: number, message: string): never
  readWord1(): string
  finishToken(type: TokenType, value: unknown): void
}

/** The rest of a pattern, behind its first slash. */
const restOfPattern = /(?:[^\n\r\u2028\u2029\\/[]|\\.|\[(?:[^\n\r\u2028\u2029\\\]]|\\.)*\])*\//y

/**
 * The parser of JavaScript, and the only one. It takes patterns as they are: to validate one, and to have the host make
 * one, takes time that grows with the square of its length and worse. Patterns that run are read by
 * `src/engine/regex`, or in the sandbox.
 */
export class ScriptParser extends Parser {
  readRegexp(this: Parser & Tokenizer): void {
    const start = this.pos
    restOfPattern.lastIndex = start
    const [rest] = restOfPattern.exec(this.input) ?? this.raise(start, 'Unterminated regular expression')
    this.pos += rest.length
    const flagsAt = this.pos
    const flags = this.readWord1()
    if (!areFlags(this.input.slice(flagsAt, this.pos))) this.raise(flagsAt, 'Invalid regular expression flag')
    this.finishToken(tokTypes.regexp, { pattern: rest.slice(0, -1), flags, value: null })
  }
}

function areFlags(text: string): boolean {
  const isAllowed = /^[dgimsuvy]{0,8}$/.test(text) && !/u.*v|v.*u/.test(text)
  return isAllowed && new Set(text).size === text.length
}
