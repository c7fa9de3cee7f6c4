import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toByteString } from '../../src/lib/byte-string.ts'
import { readWire } from '../support/wire.ts'

const wellFormed = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', 'é', 'ÿ', '日本', '🎈', '\u0000', '\u007f', '\u0080', '\u{10FFFF}'))
    .map(join),
)

function join(parts: readonly string[]): string {
  return parts.join('')
}

describe('the wire text of any text', () => {
  it('is read as the text', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(readWire(toByteString(text))).toBe(text)
      }),
    )
  })

  it('has a character for each byte', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const wire = toByteString(text)
        expect(wire).toHaveLength(Buffer.byteLength(text))
        expect(Buffer.from(wire, 'latin1')).toEqual(Buffer.from(text))
      }),
    )
  })

  it('is joined from those of its parts', () => {
    fc.assert(
      fc.property(fc.array(wellFormed), (parts) => {
        expect(join(parts.map(toByteString))).toBe(toByteString(join(parts)))
      }),
    )
  })

  it('is the text itself where that is ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(toByteString(text)).toBe(text)
      }),
    )
  })
})

describe('a wire text', () => {
  it.each([
    ['', ''],
    ['plain', 'plain'],
    ['ü', 'Ã¼'],
    ['€', 'â\u0082¬'],
    ['🎈', 'ð\u009f\u008e\u0088'],
  ])('of "%s" shows its bytes', (text, wire) => {
    expect(toByteString(text)).toBe(wire)
  })

  it('of half a character has what stands for a broken one', () => {
    expect(readWire(toByteString('a\ud83d!'))).toBe('a\ufffd!')
  })
})
