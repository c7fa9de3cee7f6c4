import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonObjectWriter } from '../../../src/conversations/response/json-object-writer.ts'
import { JsonFragment } from '../../../src/engine/templates/json-fragment.ts'
import { toByteString } from '../../../src/lib/byte-string.ts'
import { parseWire, readWire } from '../../support/wire.ts'

const written = (writer: JsonObjectWriter) => readWire(writer.finish())

/** JSON in any language: well-formed text, as `JSON.stringify` gives it. */
const json = fc.oneof(fc.json(), fc.json({ stringUnit: 'grapheme' }), fc.constant('"Grüße 🎈 日本"'))

describe('a response writer', () => {
  it('writes an empty object when nothing was added', () => {
    expect(written(new JsonObjectWriter())).toBe('{}')
  })

  it('puts properties in the order in which they were added', () => {
    const writer = new JsonObjectWriter()
      .addValue('b', 'x')
      .add('a', toByteString('1'))
      .add('c', toByteString('{"d":null}'))
      .addValue('e', [0.5, { f: [] }])
    expect(written(writer)).toBe('{"b":"x","a":1,"c":{"d":null},"e":[0.5,{"f":[]}]}')
  })

  it('puts lists together from their parts', () => {
    const pieces = [
      new JsonFragment({ id: 'a' }),
      new JsonFragment({ id: 'b' }),
      new JsonFragment({ id: 'c' }),
    ]
    const writer = new JsonObjectWriter()
      .addList('none', [])
      .addList('one', pieces.slice(0, 1))
      .addList('three', pieces)
    expect(written(writer)).toBe('{"none":[],"one":[{"id":"a"}],"three":[{"id":"a"},{"id":"b"},{"id":"c"}]}')
  })

  it('puts objects inside each other, and goes on behind them', () => {
    const writer = new JsonObjectWriter()
      .addObject('empty', () => undefined)
      .addObject('a', (inner) =>
        inner.addValue('b', 1).addObject('c', (innermost) => innermost.addValue('d', 2)),
      )
      .addValue('e', 3)
    expect(written(writer)).toBe('{"empty":{},"a":{"b":1,"c":{"d":2}},"e":3}')
  })

  it('writes texts of any language', () => {
    const writer = new JsonObjectWriter()
      .add('a', toByteString('"Grüße 🎈 日本"'))
      .addValue('b', 'ÿ€\u{10FFFF}')
      .addList('c', [new JsonFragment('é'), new JsonFragment('日')])
    expect(parseWire(writer.finish())).toEqual({ a: 'Grüße 🎈 日本', b: 'ÿ€\u{10FFFF}', c: ['é', '日'] })
  })

  it('escapes texts', () => {
    const text = '"\\\n\u0000\u2028</script>\ud800'
    expect(parseWire(new JsonObjectWriter().addValue('a', text).finish())).toEqual({ a: text })
  })

  it('leaves every byte as it is, whatever is added', () => {
    fc.assert(
      fc.property(fc.array(json), (parts) => {
        const writer = new JsonObjectWriter()
        parts.forEach((part, index) => void writer.add(`p${index}`, toByteString(part)))
        expect(written(writer)).toBe(`{${parts.map((part, index) => `"p${index}":${part}`).join(',')}}`)
      }),
    )
  })
})

describe('a response writer that finishes with another object', () => {
  it('puts all properties of that behind its own', () => {
    const other = new JsonObjectWriter()
      .addValue('b', 'ü')
      .addList('c', [new JsonFragment(1)])
      .finish()
    const writer = new JsonObjectWriter().addValue('a', '日')
    expect(readWire(writer.finishWith(other))).toBe('{"a":"日","b":"ü","c":[1]}')
  })

  it('gives what one writer would have given, whatever is added', () => {
    const some = fc.array(json, { minLength: 1 })
    fc.assert(
      fc.property(some, some, (own, others) => {
        const [writer, other, whole] = [
          new JsonObjectWriter(),
          new JsonObjectWriter(),
          new JsonObjectWriter(),
        ]
        own.forEach((part, index) => {
          for (const each of [writer, whole]) each.add(`a${index}`, toByteString(part))
        })
        others.forEach((part, index) => {
          for (const each of [other, whole]) each.add(`b${index}`, toByteString(part))
        })
        expect(writer.finishWith(other.finish())).toBe(whole.finish())
      }),
    )
  })
})
