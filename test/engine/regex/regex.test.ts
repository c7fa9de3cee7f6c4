import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScope } from '../../../src/engine/javascript/evaluate.ts'
import { caseTableOf } from '../../../src/engine/regex/case-folding.ts'
import { compilePattern, findPatternProblem } from '../../../src/engine/regex/regex.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'

function createCountedScope() {
  let spent = 0
  const scope = createScope({
    variables: new Variables(new VariableTable([])),
    log: () => {},
    spend: (characters) => {
      spent += characters
    },
  })
  return { scope, spent: () => spent }
}

/** Whether the text has a match; the kind of problem when the pattern has one. */
function search(source: string, text: string) {
  const { scope } = createCountedScope()
  const found = compilePattern(source, scope)
  return 'test' in found ? found.test(text, scope) : found.kind
}

describe('the shape of a pattern', () => {
  it.each([
    ['foo/b/', 'b', true],
    ['foo/b/', 'foo', false],
    ['/h/s', 'h', false],
    ['/h/s', 'x/h/sx', true],
    ['a/b', 'xa/bx', true],
    ['/b', '/b', true],
    ['//', '//', true],
    ['/a/b/', 'xa/bx', true],
    ['/a/gi', 'A', true],
    ['/a/gg', 'a', 'invalid'],
    ['a\nb', 'xa\nb', true],
  ])('%j on %j is %s', (source, text, expected) => {
    expect(search(source, text)).toBe(expected)
  })
})

describe('a pattern means what it means in JavaScript', () => {
  it.each([
    ['/^b/', 'a\nb', false],
    ['/^b/m', 'a\nb', true],
    ['/a$/', 'a\n', false],
    ['/a$/m', 'a\n', true],
    ['/b/y', 'ab', false],
    ['/a/y', 'ab', true],
    ['/^b|^c/my', 'a\nb', false],
    ['/a|b/y', 'cb', false],
    ['/É/i', 'é', true],
    ['/\\d/', '٣', false],
    ['/\\w/', 'é', false],
    ['/\\s/', '\u00a0', true],
    ['/\\S/', '\u00a0', false],
    ['/[\\s]/', '\v', true],
    ['/[\\S]/', '\v', false],
    ['/[\\S]/', 'a', true],
    ['/^.$/', '\r', false],
    ['/^.$/', '\u2028', false],
    ['/^.$/', '😀', false],
    ['/^..$/', '😀', true],
    ['/^.$/u', '😀', true],
    ['/^[😀]$/', '😀', false],
    ['/^[😀]$/u', '😀', true],
    ['/^\\ud83d\\ude00$/', '😀', true],
    ['/^\\ud83d\\ude00$/u', '😀', true],
    ['/^[\\u0080-\\uffff]{2}$/', '😀', true],
    ['/^\\u{61}$/u', 'a', true],
    ['/^\\u{3}$/', 'uuu', true],
    ['/^\\p{L}$/u', 'é', true],
    ['/^\\P{L}$/u', 'é', false],
    ['/^[\\p{Script=Greek}]$/u', 'α', true],
    ['/^\\p{L}$/', 'p{L}', true],
    ['/[[:alpha:]]/', 'a]', true],
    ['/[[:alpha:]]/', 'b]', false],
    ['/\\A/', 'A', true],
    ['/\\Qa/', 'Qa', true],
    ['/a{,2}/', 'a{,2}', true],
    ['/x{/', 'x{', true],
    ['/[]/', 'a', false],
    ['/^[^]$/', '\n', true],
    ['/[\\b]/', '\b', true],
    ['/\\bb/', 'a b', true],
    ['/\\cA/', '\x01', true],
    ['/\\c1/', '\\c1', true],
    ['/[\\c1]/', '\x11', true],
    ['/\\1/', '\x01', true],
    ['/\\8/', '8', true],
    ['/\\k/', 'k', true],
    ['/\\k<n>/', 'k<n>', true],
    ['/[a-\\d]/', '-', true],
    ['/[+-]/', '-', true],
    ['/(?<year>\\d{4})-(?<day>\\d)/', '2026-1', true],
    ['/\\//', '/', true],
    ['/a{2,}?$/', 'aaa', true],
    ['/^(?:a|(b))*$/', 'abba', true],
  ])('%j on %j is %s', (source, text, expected) => {
    expect(search(source, text)).toBe(expected)
  })

  const signs =
    'a b . \\d \\D \\w \\s \\S \\W ^ $ | ( (?: ) [ [^ ] - * + ? *? {2} {1,2} {,2} { } \\b \\n \\1 \\0 \\x61 \\x \\u0061 \\u \\cA \\c \\k \\/ 😀 \\ud83d é 1 \\8 (?<n> [[:alpha:]] \\A \\Q (?i)'.split(
      ' ',
    )
  const letters = [...'ab A1_-{}2,cuxkAQ[]:\\/é\u00a0\u2028\n\u0001\u0000', '😀', '\ud83d']

  /** Runs patterns through both engines. How many of them the service took itself, and how many it refused. */
  function compareWithHost(signs: readonly string[], flags: readonly string[], letters: readonly string[]) {
    const seen = { taken: 0, refused: 0 }
    const pattern = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 7 })
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 6 })
    fc.assert(
      fc.property(pattern, fc.constantFrom(...flags), text, (parts, flags, characters) => {
        const source = parts.join('')
        const found = search(`/${source}/${flags}`, characters.join(''))
        if (found === 'beyond') {
          seen.refused += 1
          return
        }
        seen.taken += 1
        expect(found).toBe(searchNatively(source, flags, characters.join('')))
      }),
      { numRuns: 600 },
    )
    return seen
  }

  const mostlyTaken = ({ taken, refused }: { taken: number; refused: number }) => taken > refused

  it('with whatever signs and flags', () => {
    expect(compareWithHost(signs, ['', 'i', 'u', 'y', 'iu', 'g'], letters)).toSatisfy(mostlyTaken)
  })

  const cases = [
    'ſ',
    'K',
    'ẞ',
    'Ω',
    'ß',
    's',
    'S',
    'k',
    'K',
    'ω',
    'Ω',
    'µ',
    'μ',
    'Μ',
    'İ',
    'ı',
    'i',
    'I',
    'ǆ',
  ]
  const classesOfCases = [
    ...'[^s] [^ſ] [a-z] [A-Z] [^a-z] [À-ỿ] [ſ-ʯ] [\\W] [^\\W] [\\w] \\W \\w \\b \\B [\\D] [\\S] [^\\S] \\u212a \\u017f'.split(
      ' ',
    ),
    ...'^ $ ( ) | * + ? . [K-Z] [^K] [^\\x00-\\x7f] \\u{1e9e} \\p{Lu} \\P{Lu} [\\p{Ll}] [^\\p{Lu}] [^\\P{Lu}] [\\p{Greek}k] \\p{sc=Latin}'.split(
      ' ',
    ),
  ]

  it('where letters differ in case only', () => {
    const compared = compareWithHost(
      [...cases, ...classesOfCases],
      ['i', 'iu', 'im', 'imu', 'iy'],
      [...cases, '1', '\n'],
    )
    expect(compared).toSatisfy(mostlyTaken)
  })

  const lines = ['a', 'b', '0', '1', '\n', '\r', '\u2028', '\u2029', ' ', '😀']
  const partsOfLines =
    '^ $ ^ $ . [^] [] \\b \\B \\s \\S \\w \\W [^a] [^\\n] [\\n-\\r] [^\\s] [\\0-\\uffff] \\n \\r \\u2028 \\p{Cc} \\P{Cc} [\\p{Zl}a] [^\\p{Zl}] [\\P{L}] [^\\P{L}] ( ) (?: | * + ? {2} *?'.split(
      ' ',
    )

  it('where lines start and end', () => {
    const flags = ['m', 'mu', 'my', 'im', 'imu', '']
    expect(compareWithHost([...lines, ...partsOfLines], flags, lines)).toSatisfy(mostlyTaken)
  })

  it('for all letters that have a case', () => {
    const cased = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
      /\p{Changes_When_Casemapped}/u.test(String.fromCharCode(code)),
    )
    const all = cased.map((code) => String.fromCharCode(code)).join('')
    for (const isUnicode of [false, true]) {
      const table = caseTableOf(isUnicode)
      const standIn = (letter: string) =>
        String.fromCodePoint(table.get(letter.charCodeAt(0)) ?? letter.charCodeAt(0))
      for (const letter of all) {
        const same = all.match(new RegExp(letter, isUnicode ? 'giu' : 'gi')) ?? []
        const ours = [...all].filter((other) => standIn(other) === standIn(letter))
        expect(ours).toEqual(same)
      }
    }
  })
})

/** What the host makes of a pattern. For tests alone: the service never hands it a pattern of a flow. */
function searchNatively(source: string, flags: string, text: string) {
  try {
    return new RegExp(source, flags).test(text)
  } catch {
    return 'invalid'
  }
}

describe('a pattern that is none', () => {
  it.each([
    '(',
    ')',
    '[a',
    'a**',
    '*a',
    '^*',
    'a{2,1}',
    '[b-a]',
    '\\',
    '(?i)a',
    '(?<n>a)(?<n>b)',
    '(?<1>a)',
    '(?<n>a)\\k',
    '/{/u',
    '/\\a/u',
    '/\\1/u',
    '/\\k/u',
    '/\\p/u',
    '/[a-\\d]/u',
    '/\\u{110000}/u',
    '/\\p{NoSuchThing}/u',
  ])('is refused: %s', (source) => {
    expect(search(source, 'a')).toBe('invalid')
    expect(findPatternProblem(source)?.kind).toBe('invalid')
  })
})

describe('a pattern that linear time is not enough for', () => {
  it.each([
    'a(?=b)',
    'a(?!b)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '\\2(a)(b)',
    '(?<n>a)\\k<n>',
    '/\\p{Script_Extensions=Greek}/u',
    'a{1001}',
    '(?:a{100}){100}',
    '(?:a{500}){6}',
    '/\\p{Emoji}/u',
  ])('is refused: %s', (source) => {
    expect(search(source, 'aab')).toBe('beyond')
  })

  it('may be too long to be looked for at all', () => {
    expect(search('a'.repeat(501), 'a')).toBe('too long')
  })

  it('counts 500 characters without slashes and flags', () => {
    expect(search(`/${'a'.repeat(500)}/gimuy`, 'a'.repeat(500))).toBe(true)
  })
})

describe('searching', () => {
  // A search that tries one way after the other would not end within the lifetime of the test.
  it.each([
    ['/(a+)+$/', `${'a'.repeat(9_999)}b`, false],
    ['/^(?:a?){500}a{500}$/', 'a'.repeat(10_000), false],
    ['/[ab]*a[ab]{900}c/', 'ab'.repeat(5_000), false],
    ['/(?:a{0,1000})(?:a{0,1000})b/', 'a'.repeat(10_000), false],
    ['/\\u0061{1000}\\u0061{1000}$/', 'a'.repeat(10_000), true],
  ])('comes to an end for %s', (source, text, outcome) => {
    expect(search(source, text)).toBe(outcome)
  })

  it('refuses what grows by repetition before it is compiled', () => {
    const source = 'a{0,1000}'.repeat(55)
    expect(search(source, 'a')).toBe('beyond')
  })

  it('looks at the first 10 000 characters of a text', () => {
    expect(search('/b/', `${'a'.repeat(9_999)}b`)).toBe(true)
    expect(search('/b/', `${'a'.repeat(10_000)}b`)).toBe(false)
  })

  it('finds the same after it had to forget what it learned', () => {
    const { scope } = createCountedScope()
    const pattern = compilePattern('/ab{3}$/', scope)
    if (!('test' in pattern)) throw new Error('not a pattern')
    const results = Array.from({ length: 50 }, () => pattern.test(`${'a'.repeat(500)}bbb`, scope))
    expect(new Set(results)).toEqual(new Set([true]))
  })

  it('spends more for compiling than for finding a compiled pattern again', () => {
    const first = createCountedScope()
    const second = createCountedScope()
    const source = '/only used in this test/'
    expect(compilePattern(source, first.scope)).toBe(compilePattern(source, second.scope))
    expect(first.spent()).toBeGreaterThan(1000)
    expect(second.spent()).toBe(0)
  })
})
