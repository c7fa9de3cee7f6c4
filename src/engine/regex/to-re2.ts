import type { AST } from '@eslint-community/regexpp'
import { lazyModule } from '../../lib/lazy-module.ts'
import { Alphabet } from './alphabet.ts'
import { charactersOf } from './character-classes.ts'
import { BeyondRe2, type PatternProblem } from './problem.ts'

/** A pattern as RE2 writes it, and about how many instructions it takes. */
export interface TranslatedPattern {
  readonly source: string
  readonly size: number
  /** Whether lines matter, so that RE2 has to look for their starts and ends. */
  readonly hasLines: boolean
  /** The text in which to search for it, in place of this one. */
  encode(text: string): string
}

/**
 * Patterns that repeat what they repeat grow fast: one of 500 characters can take a third of a second to compile, and
 * seconds to search for. This many take up to half a second in the longest text.
 */
const mostInstructions = 2500

/** Patterns that the oldest supported Node knows. */
const regexpp = lazyModule<typeof import('@eslint-community/regexpp')>('@eslint-community/regexpp')

/**
 * Writes a pattern of JavaScript as one of RE2, where the same signs often mean something else. Refuses constructs for
 * which RE2 has no counterpart. Takes long for long patterns: the caller bounds them.
 */
export function translatePattern(source: string, flags: string): TranslatedPattern | PatternProblem {
  const isUnicode = flags.includes('u')
  try {
    const parser = new (regexpp().RegExpParser)({ ecmaVersion: 2024 })
    const pattern = parser.parsePattern(source, 0, source.length, { unicode: isUnicode })
    const hasLines = flags.includes('m') && /[$^]/.test(source)
    const translation = new Translation({ isUnicode, ignoresCase: flags.includes('i'), hasLines })
    return { hasLines, ...translation.run(pattern, flags.includes('y')) }
  } catch (error) {
    if (error instanceof BeyondRe2) return { kind: 'beyond', reason: error.message }
    if (error instanceof SyntaxError) return { kind: 'invalid', reason: reasonOf(error) }
    throw error
  }
}

/** The message quotes the whole pattern first. */
function reasonOf({ message }: SyntaxError): string {
  const reason = message.slice(message.lastIndexOf(': ') + 2)
  return reason.charAt(0).toLowerCase() + reason.slice(1)
}

interface Re2Source {
  readonly source: string
  readonly size: number
}

class Translation {
  readonly #alphabet: Alphabet
  readonly #flags: { readonly isUnicode: boolean; readonly ignoresCase: boolean }
  /** Sets by their source: hundreds of a kind fit into a pattern. */
  readonly #sets = new Map<string, Re2Source>()
  #sizeOfSets = 0

  constructor(flags: ConstructorParameters<typeof Alphabet>[0]) {
    this.#flags = flags
    this.#alphabet = new Alphabet(flags)
  }

  run({ alternatives }: AST.Pattern, isSticky: boolean): Omit<TranslatedPattern, 'hasLines'> {
    const { source, size } = this.#disjunction(alternatives)
    const prefix = isSticky ? '\\A' : this.#alphabet.prefix
    const encode = (text: string) => this.#alphabet.encode(text)
    return { source: prefix === '' ? source : `${prefix}(?:${source})`, size, encode }
  }

  #disjunction(alternatives: readonly AST.Alternative[]): Re2Source {
    const written = alternatives.map(({ elements }) => this.#sequence(elements))
    return bounded({
      source: written.map(({ source }) => source).join('|'),
      size: sumOf(written) + alternatives.length - 1,
    })
  }

  #sequence(elements: readonly AST.Element[]): Re2Source {
    const written = elements.map((element) => this.#element(element))
    return { source: written.map(({ source }) => source).join(''), size: sumOf(written) }
  }

  #element(node: AST.Element): Re2Source {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup': {
        // Nothing is captured: whether there is a match is all that is asked.
        const { source, size } = this.#disjunction(node.alternatives)
        return bounded({ source: `(?:${source})`, size: size + 1 })
      }
      case 'Quantifier':
        return this.#quantifier(node)
      case 'Assertion':
        return assertionOf(node)
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#set(node)
      case 'Backreference':
        throw new BeyondRe2('it refers back to one of its groups')
      default:
        throw new BeyondRe2('it has a class inside of a class')
    }
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier): Re2Source {
    const { source, size } = this.#element(element)
    const isOpen = max === Number.POSITIVE_INFINITY
    const times = isOpen ? min + 1 : Math.max(1, max)
    const bounds = isOpen ? `${min},` : `${min},${max}`
    return bounded({ source: `${source}{${bounds}}${greedy ? '' : '?'}`, size: size * times + 1 })
  }

  #set(node: AST.Character | AST.CharacterSet | AST.CharacterClass): Re2Source {
    const known = this.#sets.get(node.raw)
    if (known) return known
    const { lastCharacter } = this.#alphabet
    const written = this.#alphabet.write(charactersOf(node, { ...this.#flags, lastCharacter }))
    this.#sets.set(node.raw, written)
    this.#sizeOfSets += written.size
    // The cases of a set take time, so those of the next are not looked up in vain.
    if (this.#sizeOfSets > mostInstructions) throw tooLarge()
    return written
  }
}

const sumOf = (written: readonly Re2Source[]) => written.reduce((sum, { size }) => sum + size, 0)

function assertionOf(node: AST.Assertion): Re2Source {
  switch (node.kind) {
    case 'start':
      return { source: '^', size: 1 }
    case 'end':
      return { source: '$', size: 1 }
    case 'word':
      return { source: node.negate ? '\\B' : '\\b', size: 1 }
    default:
      throw new BeyondRe2('it looks ahead or behind')
  }
}

const tooLarge = () => new BeyondRe2('it repeats too much')

function bounded(written: Re2Source): Re2Source {
  if (written.size > mostInstructions) throw tooLarge()
  return written
}
