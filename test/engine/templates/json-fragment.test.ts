import { describe, expect, it } from 'vitest'
import { deepFreeze, JsonFragment } from '../../../src/engine/templates/json-fragment.ts'
import { toByteString } from '../../../src/lib/byte-string.ts'
import { readWire } from '../../support/wire.ts'

describe('a piece', () => {
  it('is its value as JSON, made once', () => {
    let made = 0
    const piece = new JsonFragment({
      toJSON: () => {
        made += 1
        return { emoji: '🙂' }
      },
    })
    expect(readWire(piece.json)).toBe('{"emoji":"🙂"}')
    expect(piece.json).toBe(piece.json)
    expect(made).toBe(1)
  })
})

describe('a piece with one more property', () => {
  it.each(['Ada', '"\\\n', 'Grüße 🎈 日本', ''])('is the JSON of both: %j', (text) => {
    const piece = new JsonFragment({ id: 'ü', options: { a: 1 } })
    const extended = piece.with('prefilledValue', text)
    expect(extended.value).toEqual({ id: 'ü', options: { a: 1 }, prefilledValue: text })
    expect(extended.json).toBe(toByteString(JSON.stringify(extended.value)))
    expect(piece.value).toEqual({ id: 'ü', options: { a: 1 } })
  })
})

describe('freezing a value', () => {
  it('reaches every depth, and hands back the same value', () => {
    const value = { a: [{ b: { c: 1 } }], d: null, e: 'x' }
    expect(deepFreeze(value)).toBe(value)
    expect([value, value.a, value.a[0], value.a[0]?.b].map((part) => Object.isFrozen(part))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it.each([1, 'x', null, undefined, true])('leaves %j alone', (value) => {
    expect(deepFreeze(value)).toBe(value)
  })
})
