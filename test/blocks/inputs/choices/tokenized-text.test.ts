import { describe, expect, it } from 'vitest'
import { tokenizePhrase, tokenizePhrases } from '../../../../src/blocks/inputs/choices/tokenized-text.ts'

const read = (text: string) => tokenizePhrases(text, () => {})
const holds = (text: string, phrase: string) => read(text).includes(tokenizePhrase(phrase))

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
    expect([spoken.consume('WINE'), spoken.consume('WINE'), spoken.consume('WINE')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('is not made of what another one leaves on both sides', () => {
    const spoken = read('red and wine')
    expect(spoken.consume('AND')).toBe(true)
    expect(spoken.includes('RED WINE')).toBe(false)
    expect(spoken.includes('RED')).toBe(true)
  })

  it('is not taken out of another one', () => {
    const spoken = read('red wine, wine glass')
    expect(spoken.consume('RED WINE')).toBe(true)
    expect(spoken.includes('WINE , WINE')).toBe(false)
    expect(spoken.consume('WINE')).toBe(true)
    expect(spoken.includes('WINE GLASS')).toBe(false)
  })

  it('may stand next to another one once that is taken', () => {
    const spoken = read('wine!')
    expect(spoken.includes('!')).toBe(false)
    expect(spoken.consume('WINE')).toBe(true)
    expect(spoken.includes('!')).toBe(true)
  })

  it('costs no more than the places of its rarest word', () => {
    let spent = 0
    const spoken = tokenizePhrases('a '.repeat(8000), (characters) => {
      spent += characters
    })
    for (let index = 0; index < 1000; index++) spoken.includes(`A A A B${index}`)
    expect(spent).toBe(0)
    expect(spoken.consume('A A')).toBe(true)
    expect(spoken.includes('A A')).toBe(true)
    expect(spent).toBeGreaterThan(2)
  })
})
