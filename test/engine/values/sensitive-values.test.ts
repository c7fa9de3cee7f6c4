import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUnmaskingStream } from '../../../src/conversations/effects/models/mask-question.ts'
import {
  Mask,
  type SensitiveValue,
  unmaskData,
  unmasking,
} from '../../../src/engine/values/sensitive-values.ts'

const personal = (name: string, text: string): SensitiveValue => ({ name, text, sensitivity: 'personal' })
const maskOf = (text: string, beside = '') => new Mask([personal('Email', text)], beside)

describe('a mask', () => {
  it.each([
    ['as it is', 'a "b" c', 'It is a "b" c.', 'It is [Email].'],
    ['inside JSON', 'a "b" c', '{"q": "a \\"b\\" c"}', '{"q": "[Email]"}'],
    [
      'inside JSON in JSON',
      'a "b" c',
      '"{\\"q\\": \\"a \\\\\\"b\\\\\\" c\\"}"',
      '"{\\"q\\": \\"[Email]\\"}"',
    ],
    ['in an address', 'zoë b', '/x?q=zo%C3%AB%20b', '/x?q=[Email]'],
    ['in a query', 'zoë b', '/x?q=zo%C3%AB+b', '/x?q=[Email]'],
    ['of signs that patterns have', '(.*)$^[x]', 'a(.*)$^[x]b', 'a[Email]b'],
    ['as a short word alone', '36', 'I am 36, of 1936', 'I am [Email], of 1936'],
  ])('finds a value %s', (_name, value, text, expected) => {
    expect(maskOf(value).text(text)).toBe(expected)
  })

  it('leaves alone what names the parts of data', () => {
    const data = { type: 'text', id: 'text', text: 'text', text2: ['a text'] }
    expect(maskOf('text').data(data)).toEqual({
      type: 'text',
      id: 'text',
      text: '[Email]',
      text2: ['a [Email]'],
    })
    expect(JSON.parse(maskOf('":"').json('{"a":"b","c":"x\\":\\"y"}'))).toEqual({ a: 'b', c: 'x":"y' })
  })

  it('has a mark for each value, and none that stands beside it', () => {
    const values = [personal('Email', 'ada@shop.example'), personal('Email', 'bob@shop.example')]
    const mask = new Mask([...values, personal('a]"b', 'carl')], 'Write [Email] here')
    expect(mask.text('ada@shop.example bob@shop.example carl')).toBe('[Email 2] [Email 3] [ab]')
  })

  it('takes the longer of two values', () => {
    const mask = new Mask([personal('First', 'Ada'), personal('Whole', 'Ada Lovelace')])
    expect(mask.text('Ada, Ada Lovelace')).toBe('[First], [Whole]')
  })

  it('is undone by its marks, whatever the values and the texts are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (values, texts) => {
        const told = [...texts, ...values, values.join('')]
        const known = values.filter((value) => value.trim() !== '').map((value) => personal('V', value))
        if (known.length === 0) return
        const mask = new Mask(known, JSON.stringify(told))
        const plain = told.filter((one) => !one.includes('%') && !one.includes('\\'))
        expect(unmaskData(mask.data(plain), mask.values)).toEqual(plain)
      }),
    )
  })
})

describe('values that are put back into a stream', () => {
  it.each([
    [['You are [Em', 'ail], ', 'aren’t you?'], 'You are ada@shop.example, aren’t you?'],
    [['[', 'Email', ']'], 'ada@shop.example'],
    [['a [note] and [', 'b'], 'a [note] and [b'],
    [['[E', 'mails are long] [Email'], '[Emails are long] [Email'],
  ])('are found wherever it is cut: %j', (pieces, expected) => {
    const stream = createUnmaskingStream(maskOf('ada@shop.example'))
    const shown = [...pieces.map((piece) => stream.add(piece)), stream.rest()].join('')
    expect(shown).toBe(expected)
  })

  it('are spelled as the text around them takes it', () => {
    const put = unmasking(maskOf('a "b"').values, (text) => JSON.stringify(text).slice(1, -1))
    expect(JSON.parse(put('{"q":"[Email]"}'))).toEqual({ q: 'a "b"' })
  })
})
