import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResponseWriter } from '../../src/chat/response-writer.ts'
import { Piece } from '../../src/engine/piece.ts'

const written = (writer: ResponseWriter) => writer.finish().toString()

describe('a response writer', () => {
  it('writes an empty object when nothing was added', () => {
    expect(written(new ResponseWriter())).toBe('{}')
  })

  it('puts properties in the order in which they were added', () => {
    const writer = new ResponseWriter().addText('b', 'x').add('a', '1').add('c', Buffer.from('{"d":null}'))
    expect(written(writer)).toBe('{"b":"x","a":1,"c":{"d":null}}')
  })

  it('puts lists together from their parts', () => {
    const pieces = [new Piece({ id: 'a' }), new Piece({ id: 'b' }), new Piece({ id: 'c' })]
    const writer = new ResponseWriter()
      .addList('none', [])
      .addList('one', pieces.slice(0, 1))
      .addList('three', new Set(pieces))
    expect(written(writer)).toBe('{"none":[],"one":[{"id":"a"}],"three":[{"id":"a"},{"id":"b"},{"id":"c"}]}')
  })

  it('counts bytes, not characters', () => {
    const writer = new ResponseWriter().add('a', '"Grüße 🎈 日本"').addText('b', 'ÿ€\u{10FFFF}').add('c', '1')
    expect(JSON.parse(written(writer))).toEqual({ a: 'Grüße 🎈 日本', b: 'ÿ€\u{10FFFF}', c: 1 })
  })

  it('escapes texts', () => {
    const text = '"\\\n\u0000\u2028</script>\ud800'
    expect(JSON.parse(written(new ResponseWriter().addText('a', text)))).toEqual({ a: text })
  })

  it('fills its buffer to the last byte, whatever is added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.json(), fc.boolean()), { minLength: 1 }), (parts) => {
        const writer = new ResponseWriter()
        parts.forEach(([json, isBuffer], index) => {
          writer.add(`p${index}`, isBuffer ? Buffer.from(json) : json)
        })
        const expected = `{${parts.map(([json], index) => `"p${index}":${json}`).join(',')}}`
        expect(written(writer)).toBe(expected)
      }),
    )
  })
})
