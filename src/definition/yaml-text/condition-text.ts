import type { ComparisonOperator } from '../../../schemas/condition.ts'

interface Comparison {
  /** As it is written, in braces or not. */
  readonly variable: string
  readonly operator: ComparisonOperator
  readonly value?: string
}

/** A condition as a tree. */
export type ConditionTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ConditionTree[] }
  | ({ readonly kind: 'comparison' } & Comparison)

/** Thrown for a text that is no condition: the place is an offset into it. */
export class ConditionError extends Error {
  readonly at: number
  /** A name that is not declared. */
  readonly unknownName: string | undefined

  constructor(message: string, at: number, unknownName?: string) {
    super(message)
    this.at = at
    this.unknownName = unknownName
  }
}

/** Names of variables, as far as a condition needs them. */
interface DeclaredNames {
  has(name: string): boolean
  calledAs(name: string): string
  /** Is told of each that is named without braces: where, as an offset into the text. */
  note?(name: string, at: number): void
}

/** Each operator as it is written. */
export const operatorWords: Readonly<Record<ComparisonOperator, string>> = {
  'Equal to': 'is',
  'Not equal': 'is not',
  Contains: 'contains',
  'Does not contain': 'does not contain',
  'Greater than': '>',
  'Greater or equal to': '>=',
  'Less than': '<',
  'Less or equal to': '<=',
  'Starts with': 'starts with',
  'Ends with': 'ends with',
  'Matches regex': 'matches',
  'Does not match regex': 'does not match',
  'Is set': 'is set',
  'Is empty': 'is empty',
}

export const spelledOperators = Object.values(operatorWords).join(', ')

const otherWords: readonly (readonly [ComparisonOperator, string])[] = [
  ['Is empty', 'is not set'],
  ['Is set', 'is not empty'],
  ['Not equal', '!='],
  ['Equal to', '=='],
  ['Equal to', '='],
]

/** The longest come first, as others begin like them. */
const operators = [...(Object.entries(operatorWords) as [ComparisonOperator, string][]), ...otherWords]
  .sort(([, one], [, other]) => other.length - one.length)
  .map(([operator, word]) => [patternOf(word), operator] as const)

function patternOf(word: string): RegExp {
  return /\w/.test(word) ? new RegExp(`${word.replaceAll(' ', '\\s+')}\\b`, 'iy') : new RegExp(word, 'y')
}

/** As much as a condition may hold. */
export const conditionLimits = { characters: 2_000, comparisons: 200 }

const most = { ...conditionLimits, levels: 30, name: 200 }

/** Reads a condition (docs/yaml.md has its grammar). Throws a ConditionError. */
export function parseCondition(text: string, names: DeclaredNames): ConditionTree {
  if (text.length > most.characters)
    throw new ConditionError(`has more than ${most.characters} characters`, 0)
  return new ConditionParser(text, names).whole()
}

class ConditionParser {
  readonly #text: string
  readonly #names: DeclaredNames
  #at = 0
  #levels = 0
  #comparisons = 0

  constructor(text: string, names: DeclaredNames) {
    this.#text = text
    this.#names = names
  }

  whole(): ConditionTree {
    const tree = this.#any()
    this.#skipBlanks()
    if (this.#at < this.#text.length) throw this.#error('only "and" or "or" may follow here')
    return tree
  }

  #any(): ConditionTree {
    return this.#joined('or', /or\b/iy, () => this.#joined('and', /and\b/iy, () => this.#one()))
  }

  #joined(kind: 'and' | 'or', word: RegExp, part: () => ConditionTree): ConditionTree {
    const first = part()
    const parts = [first]
    while (this.#take(word) !== undefined) parts.push(part())
    return parts.length === 1 ? first : { kind, parts }
  }

  #one(): ConditionTree {
    if (this.#take(/\(/y) === undefined) return this.#comparison()
    this.#levels += 1
    if (this.#levels > most.levels) throw this.#error('there are too many brackets inside each other')
    const inside = this.#any()
    if (this.#take(/\)/y) === undefined) throw this.#error('a ")" is missing')
    this.#levels -= 1
    return inside
  }

  #comparison(): ConditionTree {
    this.#comparisons += 1
    if (this.#comparisons > most.comparisons)
      throw this.#error(`there are more than ${most.comparisons} comparisons`)
    const variable = this.#variable() ?? this.#refuseVariable()
    this.#skipBlanks()
    const found = operators.find(([pattern]) => this.#match(pattern) !== undefined)
    if (!found) throw this.#error(`an operator is missing: ${spelledOperators}`)
    const [pattern, operator] = found
    this.#take(pattern)
    const compared = { kind: 'comparison' as const, variable, operator }
    return operator === 'Is set' || operator === 'Is empty' ? compared : { ...compared, value: this.#value() }
  }

  #variable(): string | undefined {
    const from = this.#at
    const braced = this.#take(/\{\{[^{}]+\}\}/y)
    if (braced === undefined) return this.#declaredName()
    const name = braced.slice(2, -2)
    if (this.#names.has(name)) return name
    this.#at = from
    throw this.#error(`no variable is called "${name}"; declare it under "variables"`, name)
  }

  /** The longest declared name that stands here. */
  #declaredName(): string | undefined {
    this.#skipBlanks()
    const longest = Math.min(this.#text.length, this.#at + most.name)
    for (let end = longest; end > this.#at; end--) {
      if (/[\p{L}\p{N}_]/u.test(this.#text[end] ?? '') && /[\p{L}\p{N}_]/u.test(this.#text[end - 1] ?? ''))
        continue
      const name = this.#text.slice(this.#at, end)
      if (!this.#names.has(name)) continue
      this.#names.note?.(name, this.#at)
      this.#at = end
      return name
    }
    return undefined
  }

  #refuseVariable(): never {
    const [word] = /^[^\s()<>=!"']+/.exec(this.#text.slice(this.#at)) ?? []
    if (word === undefined) throw this.#error('the name of a variable is missing')
    throw this.#error(`no variable is called "${word}"; declare it under "variables"`, word)
  }

  #value(): string {
    const text = this.#take(/"(?:[^"\\]|\\.)*"/sy)
    if (text !== undefined) return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
    const single = this.#take(/'[^']*'/y)
    if (single !== undefined) return single.slice(1, -1)
    const bare =
      this.#take(/\/(?:[^/\\\n]|\\.)+\/[a-z]*/y) ??
      this.#take(/[-+]?\d+(?:\.\d+)?(?![\p{L}\p{N}_.])/uy) ??
      this.#take(/(?:null|true|false)(?![\p{L}\p{N}_])/uy)
    if (bare !== undefined) return bare
    const braced = this.#take(/\{\{[^{}]+\}\}/y)
    if (braced !== undefined) return `{{${this.#names.calledAs(braced.slice(2, -2))}}}`
    const name = this.#declaredName()
    if (name !== undefined) return `{{${this.#names.calledAs(name)}}}`
    throw this.#error('a value is missing: a number, a variable, or a text in quotes')
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  #take(pattern: RegExp): string | undefined {
    this.#skipBlanks()
    const found = this.#match(pattern)
    this.#at += found?.length ?? 0
    return found
  }

  #skipBlanks(): void {
    this.#at += this.#match(/\s*/y)?.length ?? 0
  }

  #error(message: string, unknownName?: string): ConditionError {
    return new ConditionError(message, this.#at, unknownName)
  }
}
