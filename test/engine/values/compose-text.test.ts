import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeText } from '../../../src/engine/values/compose-text.ts'

const acute = '\u0301'
const below = '\u0316'

/** Texts of letters, marks and what composes in other ways, in runs that no pile is made of. */
const ordinaryText = fc
  .array(
    fc.constantFrom(
      'a',
      'é',
      'e\u0301',
      '\u1100\u1161\u11a8',
      '\u0344',
      '\u09c7\u09be',
      'ﬁ',
      '\u212b',
      '👍🏽',
      '\ud800',
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''))

describe('the composed form of a text', () => {
  it('is that of the platform where no letter is under a pile of marks', () => {
    fc.assert(
      fc.property(fc.oneof(ordinaryText, fc.string({ unit: 'binary' })), (text) => {
        fc.pre(!/\p{M}{31}/u.test(text))
        expect(composeText(text)).toBe(text.normalize('NFC'))
      }),
    )
  })

  it('orders and composes up to 30 marks on a letter', () => {
    const marks = (acute + below).repeat(15)
    expect(composeText(`a${marks}`)).toBe(`á${below.repeat(15)}${acute.repeat(14)}`)
  })

  it('leaves a longer pile as it is, and composes the text around it', () => {
    const pile = (acute + below).repeat(16)
    expect(composeText(`e${acute}a${pile}e${acute}`)).toBe(`éa${pile}é`)
  })

  it('is the same when it is composed again', () => {
    const piles = fc.array(fc.constantFrom('a', acute, below, '\u0344', '\u0345'), { maxLength: 200 })
    fc.assert(
      fc.property(piles, (parts) => {
        const composed = composeText(parts.join(''))
        expect(composeText(composed)).toBe(composed)
      }),
    )
  })
})
