import { describe, expect, it } from 'vitest'
import { lookUpLanguage, readAcceptLanguage } from '../../src/lib/language-tags.ts'

describe('a look-up of a language', () => {
  it.each([
    ['a tag that equals it', ['fr-CA'], ['en', 'fr', 'fr-CA'], 'fr-CA'],
    ['a tag in other capitals', ['PT-br'], ['pt-BR'], 'pt-BR'],
    ['a shorter tag', ['fr-CA'], ['en', 'fr'], 'fr'],
    ['no longer tag', ['fr'], ['fr-CA'], undefined],
    ['no tag of another region', ['en-US'], ['en-GB'], undefined],
    ['a script before the language', ['zh-Hant-CN'], ['zh', 'zh-Hant'], 'zh-Hant'],
    // RFC 4647, section 3.4: a single letter goes together with what it introduces.
    [
      'what is before a private part',
      ['zh-Hant-CN-x-private1-private2'],
      ['zh-Hant-CN-x', 'zh-Hant'],
      'zh-Hant',
    ],
    ['a private part', ['zh-Hant-x-private1-private2'], ['zh-Hant-x-private1'], 'zh-Hant-x-private1'],
    ['the first range that has a tag', ['sv', 'de-AT', 'fr'], ['fr', 'de'], 'de'],
    ['nothing for a wildcard', ['*'], ['fr'], undefined],
    ['nothing among none', ['fr'], [], undefined],
    ['the first of two tags that differ in capitals', ['fr'], ['FR', 'fr'], 'FR'],
  ])('finds %s', (_, ranges, tags, found) => {
    expect(lookUpLanguage({ ranges }, tags)).toBe(found)
  })

  it('passes over what is refused, also on the way to a shorter tag', () => {
    const wish = readAcceptLanguage('fr-CA, fr;q=0, de;q=0.1')
    expect(lookUpLanguage(wish, ['fr', 'de'])).toBe('de')
  })
})

it.each([
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', ['fr-CH', 'fr', 'en', 'de']],
  ['da, en-gb;q=0.8, en;q=0.7', ['da', 'en-gb', 'en']],
  ['en;q=0.7,da ; q=1.000', ['da', 'en']],
  ['de;q=0.5, fr;q=0.5', ['de', 'fr']],
  ['*', []],
  ['fr_FR, ;;, q=1, en;q=2, <script>, nl', ['nl']],
  ['', []],
  [undefined, []],
])('reads the header %s', (header, ranges) => {
  expect(readAcceptLanguage(header).ranges).toEqual(ranges)
})
