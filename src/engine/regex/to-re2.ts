import { readClass } from './pattern-classes.ts'
import { beyond, invalid, PatternCursor, PatternError, type PatternProblem } from './pattern-cursor.ts'
import { readEscape } from './pattern-escapes.ts'
import { classOf, literal } from './pattern-output.ts'

export type { PatternProblem } from './pattern-cursor.ts'

/** A pattern in the words of RE2, and about how many instructions it takes. */
export interface TranslatedPattern {
  readonly source: string
  readonly size: number
}

export function isProblem(found: object): found is PatternProblem {
  return 'reason' in found
}

/**
 * Patterns that repeat what they repeat grow fast: one of 500 characters can take a third of a second to compile, and
 * seconds to search for. This many take up to half a second in the longest text.
 */
const mostInstructions = 2500

/**
 * Says a pattern of JavaScript in the words of RE2, where the same signs often mean something else. Whatever this
 * does not know is refused rather than passed on.
 */
export function translatePattern(source: string, isUnicode: boolean): TranslatedPattern | PatternProblem {
  try {
    const translation = new Translation(new PatternCursor(source, isUnicode))
    return translation.run()
  } catch (error) {
    if (error instanceof PatternError) return error.problem
    throw error
  }
}

/** What a class of a Unicode property weighs. */
const instructionsOfProperty = 100

class Translation {
  readonly #cursor: PatternCursor
  readonly #groupNames = new Set<string>()
  /** The sizes of what stands before each open group. */
  readonly #outer: number[] = []
  #source = ''
  #size = 0
  /** The size of what a quantifier here would repeat; undefined where there is nothing to repeat. */
  #repeatable: number | undefined

  constructor(cursor: PatternCursor) {
    this.#cursor = cursor
  }

  run(): TranslatedPattern {
    while (!this.#cursor.isDone) this.#term()
    if (this.#outer.length > 0) throw invalid('a group is not closed')
    return { source: this.#source, size: this.#size }
  }

  #term(): void {
    const cursor = this.#cursor
    if (cursor.eat('\\')) this.#escape()
    else if (cursor.eat('[')) this.#set(readClass(cursor))
    else if (cursor.eat('.')) this.#atom('[^\\n\\r\\x{2028}\\x{2029}]')
    else if (cursor.eat('(')) this.#open()
    else if (cursor.eat(')')) this.#close()
    else if (!this.#boundary(/[|^$]/y) && !this.#quantifier()) this.#character()
  }

  #character(): void {
    const cursor = this.#cursor
    if (cursor.isUnicode && cursor.take(/[{}\]]/y)) throw invalid('a bracket stands alone')
    this.#atom(literal(cursor.next(), cursor.isUnicode))
  }

  #atom(text: string, size = 1): void {
    this.#source += text
    this.#grow(size)
    this.#repeatable = size
  }

  /** A class is as large as what it lists: a property of Unicode stands for hundreds of ranges. */
  #set(text: string): void {
    const properties = text.split(/\\p/i).length - 1
    this.#atom(text, 1 + instructionsOfProperty * properties)
  }

  /** A sign that takes no character, and that a quantifier can't follow. */
  #boundary(signs: RegExp, prefix = ''): boolean {
    const [sign] = this.#cursor.take(signs) ?? []
    if (sign === undefined) return false
    this.#source += prefix + sign
    this.#grow(1)
    this.#repeatable = undefined
    return true
  }

  #grow(by: number): void {
    this.#size += by
    if (this.#size > mostInstructions) throw beyond('it repeats too much')
  }

  #escape(): void {
    const cursor = this.#cursor
    if (this.#boundary(/[bB]/y, '\\')) return
    this.#refuseReferences()
    const escaped = readEscape(cursor)
    if (escaped.set === undefined) this.#atom(literal(escaped.code, cursor.isUnicode))
    else this.#set(classOf(escaped.set))
  }

  #refuseReferences(): void {
    const { groupCount, hasNamedGroups, isUnicode } = this.#cursor
    const [number] = this.#cursor.take(/(?=([1-9]\d*))/y)?.slice(1) ?? []
    if (number && Number(number) <= groupCount) throw beyond('it refers back to one of its groups')
    if (number && isUnicode) throw invalid('it refers to a group that is missing')
    if ((isUnicode || hasNamedGroups) && this.#cursor.take(/(?=k)/y)) {
      if (!hasNamedGroups || !this.#cursor.take(/k<[^>]+>/y))
        throw invalid('it refers to a group without a name')
      throw beyond('it refers back to one of its groups')
    }
  }

  /** Nothing is captured: whether there is a match is all that is asked. */
  #open(): void {
    const cursor = this.#cursor
    if (cursor.take(/\?<?[=!]/y)) throw beyond('it looks ahead or behind')
    const [, name] = cursor.take(/\?<([\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*)>/uy) ?? []
    if (name !== undefined && this.#groupNames.has(name)) throw invalid('two groups have the same name')
    if (name !== undefined) this.#groupNames.add(name)
    else if (!cursor.eat('?:') && cursor.take(/(?=\?)/y)) throw invalid('a group starts with a question mark')
    this.#source += '(?:'
    this.#outer.push(this.#size)
    this.#size = 0
    this.#repeatable = undefined
  }

  #close(): void {
    const before = this.#outer.pop()
    if (before === undefined) throw invalid('a group is closed that was not opened')
    this.#source += ')'
    this.#repeatable = this.#size + 1
    this.#size = before
    this.#grow(this.#repeatable)
  }

  #quantifier(): boolean {
    const found = this.#cursor.take(/([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (!found) return false
    const [text, , least, comma, most] = found
    if (this.#repeatable === undefined) throw invalid('there is nothing to repeat')
    if (least !== undefined && most && Number(least) > Number(most))
      throw invalid('a repetition is upside down')
    const times = Math.max(Number(least ?? 1), Number(most || 1)) + (comma ? 1 : 0)
    this.#source += text
    this.#grow(this.#repeatable * (times - 1) + 1)
    this.#repeatable = undefined
    return true
  }
}
