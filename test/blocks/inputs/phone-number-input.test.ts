import { describe, expect, it } from 'vitest'
import { phoneNumberInput } from '../../../src/blocks/inputs/address-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

function prepare(options: object = {}, variables = {}) {
  const block = { id: 'i1', type: 'phone number input', options }
  return prepareBlock(phoneNumberInput, block, { variables })
}

function judge(text: string, options: object = {}, variables = {}) {
  const verdict = prepare(options, variables).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

const french = '+33612345678'

describe('a reply to a phone number input', () => {
  it.each([
    ['+33 6 12 34 56 78', undefined, french],
    ['+33 6 12 34 56 78', 'US', french],
    ['06 12 34 56 78', 'FR', french],
    ['0033612345678', 'FR', french],
    ['33612345678', 'FR', french],
    ['415 555 2671', 'US', '+14155552671'],
    ['call me at +33612345678 thanks', undefined, french],
    ['+33612345678 or +14155552671', undefined, french],
    ['no 12345, but +33612345678', undefined, french],
  ])('is saved with its dial code: %j in %s', (text, defaultCountryCode, content) => {
    expect(judge(text, defaultCountryCode === undefined ? {} : { defaultCountryCode })).toBe(content)
  })

  it.each([undefined, 'ZZ', 'INT', '', 'constructor'])(
    'needs a dial code where the country is %s',
    (code) => {
      const options = code === undefined ? {} : { defaultCountryCode: code }
      for (const text of ['06 12 34 56 78', '0033612345678', '33612345678']) {
        expect(judge(text, options)).toBe('refused')
      }
    },
  )

  it.each(['12345', '+123', '+33999', 'hello', ''])(
    'is refused when it holds no valid number: %j',
    (text) => {
      expect(judge(text, { defaultCountryCode: 'FR' })).toBe('refused')
    },
  )

  it('may take its country from a variable', () => {
    expect(judge('06 12 34 56 78', { defaultCountryCode: '{{C}}' }, { C: 'FR' })).toBe(french)
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: french })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })

  it('is searched up to 256 characters, and refused beyond', () => {
    expect(judge(french.padEnd(256, ' '))).toBe(french)
    expect(judge(french.padEnd(257, ' '))).toBe('refused')
  })

  it("is answered with the block's own text when refused", () => {
    expect(prepare({ retryMessageContent: 'Sure, {{N}}?' }, { N: 'Ann' }).retryMessage()).toBe('Sure, Ann?')
    expect(prepare().retryMessage()).toBeUndefined()
  })
})
