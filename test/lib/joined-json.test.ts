import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonFragment } from '../../src/engine/templates/json-fragment.ts'
import { joinObjects, jsonList, jsonObject, jsonOf, toByteString } from '../../src/lib/byte-string.ts'
import { parseWire, readWire } from '../support/wire.ts'

/** JSON in any language: well-formed text, as `JSON.stringify` gives it. */
const json = fc.oneof(fc.json(), fc.json({ stringUnit: 'grapheme' }), fc.constant('"Grüße 🎈 日本"'))

const membersOf = (prefix: string, parts: readonly string[]) =>
  Object.fromEntries(parts.map((part, index) => [`${prefix}${index}`, toByteString(part)]))

describe('an object put together from JSON', () => {
  it('is empty without members', () => {
    expect([jsonObject({}), jsonObject({ a: undefined })]).toEqual(['{}', '{}'])
  })

  it('has its members in their order, without those that are undefined', () => {
    const members = {
      b: jsonOf('x'),
      none: undefined,
      a: toByteString('1'),
      c: jsonObject({ d: toByteString('null') }),
      e: jsonOf([0.5, { f: [] }]),
    }
    expect(jsonObject(members)).toBe('{"b":"x","a":1,"c":{"d":null},"e":[0.5,{"f":[]}]}')
    expect(jsonObject({ none: undefined, a: toByteString('1') })).toBe('{"a":1}')
  })

  it('has texts of any language', () => {
    const written = jsonObject({
      a: toByteString('"Grüße 🎈 日本"'),
      b: jsonOf('ÿ€\u{10FFFF}'),
      c: jsonList([new JsonFragment('é'), new JsonFragment('日')]),
    })
    expect(parseWire(written)).toEqual({ a: 'Grüße 🎈 日本', b: 'ÿ€\u{10FFFF}', c: ['é', '日'] })
  })

  it('has texts escaped', () => {
    const text = '"\\\n\u0000\u2028</script>\ud800'
    expect(parseWire(jsonObject({ a: jsonOf(text) }))).toEqual({ a: text })
  })

  it('leaves every byte of its members as it is', () => {
    fc.assert(
      fc.property(fc.array(json), (parts) => {
        const written = readWire(jsonObject(membersOf('p', parts)))
        expect(written).toBe(`{${parts.map((part, index) => `"p${index}":${part}`).join(',')}}`)
      }),
    )
  })
})

describe('a list put together from JSON', () => {
  it('has its items in their order', () => {
    const items = ['a', 'b', 'c'].map((id) => new JsonFragment({ id }))
    expect([jsonList([]), jsonList(items.slice(0, 1)), jsonList(items)]).toEqual([
      '[]',
      '[{"id":"a"}]',
      '[{"id":"a"},{"id":"b"},{"id":"c"}]',
    ])
  })
})

describe('two objects that are joined', () => {
  it('are what one object of their members would be', () => {
    const some = fc.array(json, { minLength: 1 })
    fc.assert(
      fc.property(some, some, (own, others) => {
        const [first, second] = [membersOf('a', own), membersOf('b', others)]
        expect(joinObjects(jsonObject(first), jsonObject(second))).toBe(jsonObject({ ...first, ...second }))
      }),
    )
  })
})
