import { LRUCache } from 'lru-cache'
import { lazyModule } from '../../lib/lazy-module.ts'
import type { CodeJob } from '../model/effect-payloads.ts'
import type { Scope } from '../model/scope.ts'
import { isProblem, type PatternProblem } from './problem.ts'
import { type TranslatedPattern, translatePattern } from './to-re2.ts'

type Meter = Pick<Scope, 'spend'>

/** A pattern that can be searched for in time proportional to the text. */
interface CompiledPattern {
  test(text: string, scope: Meter): boolean
  /** Instructions that it compiled to. */
  readonly size: number
}

const re2js = lazyModule<typeof import('re2js')>('re2js')

/** Characters of a pattern, and of the part of a text that is searched. */
const longestPattern = 500
const longestText = 10_000

/** Cost of reading a character of a pattern, in characters copied. */
const readingWeight = 20

/** Patterns kept compiled, by their number and by their instructions together (about 100 bytes each). */
const compiled = new LRUCache<string, CompiledPattern | PatternProblem>({
  max: 500,
  maxSize: 200_000,
  sizeCalculation: (found) => 10 + (isProblem(found) ? 0 : found.size),
})

/** Problem of a pattern, as far as parsing shows. Compiles nothing, so it is cheap. */
export function findPatternProblem(source: string): PatternProblem | undefined {
  const translated = translate(source)
  return isProblem(translated) ? translated : undefined
}

/** The pattern that a text says, compiled anew when it was not used lately. */
export function compilePattern(source: string, scope: Meter): CompiledPattern | PatternProblem {
  const known = compiled.get(source)
  if (known) return known
  const found = compile(source, scope)
  // A text too long for a pattern is too long to be kept.
  if (source.length <= 2 * longestPattern) compiled.set(source, found)
  return found
}

const search = 'return $texts$.some((text) => new RegExp($pattern$, $flags$).test(text))'

/** The search for a pattern that is beyond `compilePattern`, as code: whether any text has a match. */
export function createSearchJob(source: string, texts: readonly string[], scope: Scope): CodeJob {
  const { pattern, flags } = read(source)
  const searched = texts.map((text) => text.slice(0, longestText))
  for (const text of searched) scope.spend(1 + text.length)
  const globals = [
    ['$texts$', searched],
    ['$pattern$', pattern],
    ['$flags$', flags],
  ] as const
  return { body: search, isAsync: false, globals, mayAssign: false, mayFetch: false }
}

/**
 * Reads `/pattern/flags`, of which only the end has to be there: text before the first slash is ignored, and what has
 * another shape is a pattern without flags (docs/behaviour/variables.md, "Conditions").
 */
function read(source: string): { readonly pattern: string; readonly flags: string } {
  const from = source.indexOf('/')
  const to = source.lastIndexOf('/')
  const flags = source.slice(to + 1)
  if (from === -1 || to - from < 2 || !/^[gimuy]*$/.test(flags)) return { pattern: source, flags: '' }
  return { pattern: source.slice(from + 1, to), flags }
}

function translate(source: string): TranslatedPattern | PatternProblem {
  const { pattern, flags } = read(source)
  if (pattern.length > longestPattern) {
    return { kind: 'too long', reason: `it is longer than ${longestPattern} characters` }
  }
  if (new Set(flags).size < flags.length) return { kind: 'invalid', reason: 'a flag is repeated' }
  return translatePattern(pattern, flags)
}

function compile(source: string, scope: Meter): CompiledPattern | PatternProblem {
  // Reading a pattern takes up to 3 µs a character.
  scope.spend(source.length + readingWeight * Math.min(source.length, longestPattern))
  const translated = translate(source)
  if (isProblem(translated)) return translated
  // Compiling takes some 150 µs, a microsecond for every instruction, and a tenth of one for every character.
  scope.spend(1000 + 40 * translated.size + 4 * translated.source.length)
  try {
    return createPattern(translated)
  } catch {
    return {
      kind: 'beyond',
      reason: 'it uses a repetition or a character property that is not available',
    }
  }
}

/** States that a pattern may remember, weighed by their size, before it has to forget them: some 500 KB. */
const mostRemembered = 2000

function createPattern({ source, hasLines, encode }: TranslatedPattern): CompiledPattern {
  const { RE2JS } = re2js()
  const engine = RE2JS.compile(source, hasLines ? RE2JS.MULTILINE : 0)
  const size = engine.programSize()
  const weight = 1 + size / 64
  let remembered = 0
  return {
    size,
    test(text, scope) {
      const searched = encode(text.slice(0, longestText))
      // At worst every instruction is tried at every character.
      scope.spend(1 + Math.ceil((searched.length * size) / 8))
      remembered += searched.length * weight
      if (remembered > mostRemembered) {
        // Left alone, each pattern could hold up to 8 MB of states about texts.
        engine.reset()
        remembered = searched.length * weight
      }
      return engine.test(searched)
    },
  }
}
