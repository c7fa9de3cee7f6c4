import type { Problem } from '../lib/errors.ts'
import { linesOf } from '../lib/text-lines.ts'

const space = /[ \t\n\r]/
const digit = /\d/
const hexDigit = /[\da-f]/i
const escaped = /["\\/bfnrt]/
const words: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' }

/** A place in a text, both counted from 1; a column is a UTF-16 unit, as editors count. */
interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * The place of what makes a text no JSON, or its end where it stops too early. The parser tells it in some cases only, and
 * quotes the text in the others, which may hold secrets; jsonc-parser tells where a token begins, far from a mistake in a
 * long string, and recurses.
 */
export function mistakeInJson(text: string): TextPlace {
  const offset = new Reader(text).mistake()
  const { line, character } = linesOf(text).rangeAt(offset, offset).start
  return { line: line + 1, column: character + 1 }
}

/** Problem of a text that is no JSON, with the place and nothing of the text. */
export function noJsonProblem(text: string): Problem {
  const { line, column } = mistakeInJson(text)
  return { pointer: '', message: `is not valid JSON (line ${line}, column ${column})` }
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'more'

/** Reads until something is wrong. It does not recurse: nobody has counted the levels of the text. */
class Reader {
  readonly #text: string
  readonly #ends: ('}' | ']')[] = []
  #at = 0
  #expected: Expected = 'value'

  constructor(text: string) {
    this.#text = text
  }

  mistake(): number {
    do this.#pass(space)
    while (this.#at < this.#text.length && this.#token(this.#text[this.#at] as string))
    return this.#at
  }

  /** False where what comes next is not expected. */
  #token(char: string): boolean {
    const end = this.#ends.at(-1)
    switch (this.#expected) {
      case 'colon':
        return char === ':' && this.#step('value')
      case 'more':
        if (char === ',' && end) return this.#step(end === '}' ? 'name' : 'value')
        return char === end && this.#close()
      case 'name':
      case 'name or end':
        if (char === end && this.#expected === 'name or end') return this.#close()
        return char === '"' && this.#string('colon')
      default:
        if (char === end && this.#expected === 'value or end') return this.#close()
        return this.#value(char)
    }
  }

  #value(char: string): boolean {
    if (char === '"') return this.#string('more')
    if (char === '{' || char === '[') {
      this.#ends.push(char === '{' ? '}' : ']')
      return this.#step(char === '{' ? 'name or end' : 'value or end')
    }
    const word = words[char]
    this.#expected = 'more'
    if (word === undefined) return this.#number()
    for (const letter of word) if (!this.#take(letter)) return false
    return true
  }

  #string(next: Expected): boolean {
    this.#at += 1
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] as string
      if (char === '"') return this.#step(next)
      if (char < ' ') return false
      if (char === '\\' && !this.#escape()) return false
    }
    return false
  }

  /** Stops at the last character of an escape. */
  #escape(): boolean {
    const char = this.#text[++this.#at] ?? ''
    if (char !== 'u') return escaped.test(char)
    for (let nth = 0; nth < 4; nth++) if (!hexDigit.test(this.#text[++this.#at] ?? '')) return false
    return true
  }

  #number(): boolean {
    this.#take('-')
    if (!this.#take('0') && !this.#pass(digit)) return false
    if (this.#take('.') && !this.#pass(digit)) return false
    if (!this.#take('e') && !this.#take('E')) return true
    if (!this.#take('+')) this.#take('-')
    return this.#pass(digit)
  }

  #close(): boolean {
    this.#ends.pop()
    return this.#step('more')
  }

  #step(next: Expected): true {
    this.#at += 1
    this.#expected = next
    return true
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  /** False where there is none of such characters. */
  #pass(chars: RegExp): boolean {
    const start = this.#at
    while (chars.test(this.#text[this.#at] ?? '')) this.#at += 1
    return this.#at > start
  }
}
