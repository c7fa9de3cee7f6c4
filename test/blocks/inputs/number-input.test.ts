import { describe, expect, it } from 'vitest'
import { numberInput } from '../../../src/blocks/inputs/number-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

function prepare(options: object, variables = {}) {
  const block = { id: 'i1', type: 'number input', options }
  return prepareBlock(numberInput, block, { variables })
}

function judge(text: string, options: object = {}, variables = {}) {
  const verdict = prepare(options, variables).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to a number input', () => {
  it.each([
    ['5.50', '5.5'],
    ['5,5', '5.5'],
    [' 7 ', '7'],
    ['+7', '7'],
    ['42,0', '42'],
    ['-3', '-3'],
    ['.5', '0.5'],
    ['-007', '-7'],
    ['1e3', '1000'],
    ['1e21', '1e+21'],
    ['Infinity', 'Infinity'],
    ['12345678901234567890', '12345678901234567000'],
  ])('is saved in its shortest form: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each([
    ['1 234', '1'],
    ['5 apples', '5'],
    ['0abc', '0'],
    ['0,5 kg', '0.5'],
  ])('ends where the number does: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each(['007', '0.50', '0', '00', '0e1'])('keeps the digits of %j', (text) => {
    expect(judge(text)).toBe(text)
  })

  it('has a decimal point where a zero is followed by a comma', () => {
    expect(judge('0,50')).toBe('0.50')
  })

  it.each([
    ['1,234.5', '1234.5'],
    ['1.234,5', '1234.5'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['-1,234,567.89', '-1234567.89'],
    ['1.234.567,89 EUR', '1234567.89'],
  ])('may group its thousands where no decimals could be meant: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each([
    ['1,234', '1.234'],
    ['1.234', '1.234'],
    ['1,2345.5', '1.2345'],
    ['12,34,567', '12.34'],
  ])('has decimals where they could be meant: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each(['$5', 'abc', 'NaN', '', ' ', ',', '--5'])(
    'is refused when it starts with no number: %j',
    (text) => {
      expect(judge(text)).toBe('refused')
    },
  )

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare({}).reply({ type: 'audio', url: '5' })).toMatchObject({ outcome: 'refused' })
    expect(prepare({}).reply()).toMatchObject({ outcome: 'refused' })
  })

  it('may be long', () => {
    expect(judge(`1${',123'.repeat(4000)}x`)).toEqual('Infinity')
    const zeros = '0'.repeat(16_000)
    expect(judge(zeros)).toEqual(zeros)
  })
})

describe('the bounds of a number input', () => {
  it.each([
    ['5', { min: 5, max: 5 }, '5'],
    ['4.99', { min: 5 }, 'refused'],
    ['5.01', { max: 5 }, 'refused'],
    ['-3', { min: 0 }, 'refused'],
    ['5', { max: 0 }, 'refused'],
    ['0', { min: 0, max: 0 }, '0'],
    ['007', { max: 6 }, 'refused'],
    ['1,234.5', { max: 1000 }, 'refused'],
    ['3', { step: 2 }, '3'],
    ['1', { min: 'ten' }, '1'],
  ])('judge %j with %j', (text, options, expected) => {
    expect(judge(text, options)).toBe(expected)
  })

  it.each([
    ['5', 'refused'],
    ['10', '10'],
  ])('may come from a variable: %j', (text, expected) => {
    expect(judge(text, { min: '{{M}}' }, { M: '10' })).toBe(expected)
  })

  it('are shown as numbers', () => {
    const { value } = prepare({ min: '{{Floor}}', max: 120, step: '0,5' }, { Floor: '18' }).run().input ?? {}
    expect(value).toEqual({ id: 'i1', type: 'number input', options: { min: 18, max: 120, step: 0.5 } })
  })

  it('are left out, and accept any number, when their variable is unset', () => {
    const prepared = prepare({ min: '{{M}}' }, { M: null })
    expect(prepared.run().input?.value.options).toEqual({})
    expect(prepared.reply({ type: 'text', text: '-5' })).toEqual({ outcome: 'accepted', content: '-5' })
  })
})
