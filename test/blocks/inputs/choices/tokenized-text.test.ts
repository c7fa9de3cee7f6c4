import { describe, expect, it } from 'vitest'
import { readPhrases, toPhrase } from '../../../../src/blocks/inputs/choices/tokenized-text.ts'

const read = (text: string) => readPhrases(text, () => {})
const holds = (text: string, phrase: string) => read(text).holds(toPhrase(phrase))

describe('a phrase', () => {
  it.each([
    ['red wine', 'Red wine'],
    ['RED \t\u00a0 WINE!', ' red  wine '],
    ['(wine)', 'wine'],
    ['a_wine', 'wine'],
    ['我要:咖啡', '咖啡'],
    ['I write C++, mostly', 'c++'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['STRASSE', 'Straße'],
    ['CAFE\u0301', 'caf\u00e9'],
    ['🍷 please', '🍷'],
    ['wine, win', 'win'],
    ['a b a c', 'a c'],
  ])('is in %j: %j', (text, phrase) => {
    expect(holds(text, phrase)).toBe(true)
  })

  it.each([
    ['Winery', 'wine'],
    ['swine', 'wine'],
    ['wine2', 'wine'],
    ['我要咖啡', '咖啡'],
    ['cafe\u0301s', 'cafe'],
    ['redwine', 'red wine'],
    ['red, wine', 'red wine'],
    ['C++x', 'c++'],
    ['x++', '++'],
    ['wine', 'wine bar'],
    ['bar wine', 'wine bar'],
    ['', 'wine'],
    ['wine', ''],
    ['wine', '   '],
  ])('is not in %j: %j', (text, phrase) => {
    expect(holds(text, phrase)).toBe(false)
  })

  it('is taken where it is first, as often as it is there', () => {
    const spoken = read('wine wine')
    expect([spoken.take('WINE'), spoken.take('WINE'), spoken.take('WINE')]).toEqual([true, true, false])
  })

  it('is not made of what another one leaves on both sides', () => {
    const spoken = read('red and wine')
    expect(spoken.take('AND')).toBe(true)
    expect(spoken.holds('RED WINE')).toBe(false)
    expect(spoken.holds('RED')).toBe(true)
  })

  it('is not taken out of another one', () => {
    const spoken = read('red wine, wine glass')
    expect(spoken.take('RED WINE')).toBe(true)
    expect(spoken.holds('WINE , WINE')).toBe(false)
    expect(spoken.take('WINE')).toBe(true)
    expect(spoken.holds('WINE GLASS')).toBe(false)
  })

  it('may stand next to another one once that is taken', () => {
    const spoken = read('wine!')
    expect(spoken.holds('!')).toBe(false)
    expect(spoken.take('WINE')).toBe(true)
    expect(spoken.holds('!')).toBe(true)
  })

  it('costs no more than the places of its rarest word', () => {
    let spent = 0
    const spoken = readPhrases('a '.repeat(8000), (characters) => {
      spent += characters
    })
    for (let index = 0; index < 1000; index++) spoken.holds(`A A A B${index}`)
    expect(spent).toBe(0)
    expect(spoken.take('A A')).toBe(true)
    expect(spoken.holds('A A')).toBe(true)
    expect(spent).toBeGreaterThan(2)
  })
})
