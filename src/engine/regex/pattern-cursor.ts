/** Why a pattern can't be searched for in linear time: it is none, it is too long, or it says more than RE2 can. */
export interface PatternProblem {
  readonly kind: 'invalid' | 'too long' | 'beyond'
  readonly reason: string
}

/** Thrown while a pattern is read; `translatePattern` catches it. */
export class PatternError extends Error {
  readonly problem: PatternProblem

  constructor(kind: PatternProblem['kind'], reason: string) {
    super(reason)
    this.problem = { kind, reason }
  }
}

export const invalid = (reason: string) => new PatternError('invalid', reason)
export const beyond = (reason: string) => new PatternError('beyond', reason)

/** A place in a pattern that is being read. */
export class PatternCursor {
  readonly isUnicode: boolean
  /** How many groups the whole pattern captures, and whether one has a name: they decide what `\1` and `\k` are. */
  readonly groupCount: number
  readonly hasNamedGroups: boolean
  readonly #source: string
  #at = 0

  constructor(source: string, isUnicode: boolean) {
    this.#source = source
    this.isUnicode = isUnicode
    const groups: readonly string[] = source.match(/\\.|\[(?:\\.|[^\\\]])*\]?|\((?!\?)|\(\?<(?![=!])/gs) ?? []
    this.groupCount = groups.filter((found) => found.startsWith('(')).length
    this.hasNamedGroups = groups.includes('(?<')
  }

  get isDone(): boolean {
    return this.#at >= this.#source.length
  }

  /** Takes what a sticky expression finds here. */
  take(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = this.#at
    const found = expected.exec(this.#source)
    if (found) this.#at += found[0].length
    return found ?? undefined
  }

  /** Takes a text that stands here. */
  eat(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** Takes one character: half an emoji unless the pattern has the flag `u`. */
  next(): number {
    const code = this.isUnicode
      ? (this.#source.codePointAt(this.#at) ?? 0)
      : this.#source.charCodeAt(this.#at)
    this.#at += code > 0xffff ? 2 : 1
    return code
  }
}
