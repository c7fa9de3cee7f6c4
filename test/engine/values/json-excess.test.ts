import { describe, expect, it } from 'vitest'
import { excessOfJsonText, mostInJson } from '../../../src/engine/values/json-excess.ts'

const { keys: maxKeys, shapes: maxShapes, containers: maxContainers = 0 } = mostInJson

const members = (count: number, member: (nth: number) => string) =>
  `{${Array.from({ length: count }, (_, nth) => member(nth)).join(',')}}`

const listOf = (count: number, element: (nth: number) => string) =>
  `[${Array.from({ length: count }, (_, nth) => element(nth)).join(',')}]`

const hasTooManyKeys = (text: string) => excessOfJsonText(text) === `more than ${maxKeys} different keys`

describe('too many keys', () => {
  it('are found before a text is parsed', () => {
    expect(hasTooManyKeys(members(maxKeys * 0.9, (nth) => `"k${nth}":1`))).toBe(false)
    expect(hasTooManyKeys(members(maxKeys * 1.2, (nth) => `"k${nth}":1`))).toBe(true)
  })

  it('are found behind blanks, quotes that are escaped, and other texts', () => {
    const odd = (nth: number) => `"\\"k${nth}\\\\" \n\t : "a \\": b"`
    expect(hasTooManyKeys(members(maxKeys * 0.9, odd))).toBe(false)
    expect(hasTooManyKeys(members(maxKeys * 1.2, odd))).toBe(true)
  })

  it('are not made by one key that comes often, nor by texts', () => {
    const often = `[${Array.from({ length: 100 }, () => members(600, () => '"key":"long enough"'))}]`
    const texts = JSON.stringify(Array.from({ length: 2 * maxKeys }, (_, nth) => `text ${nth}`))
    expect([often, texts].map(hasTooManyKeys)).toEqual([false, false])
  })

  it('are not looked for beyond a text that never ends', () => {
    expect(hasTooManyKeys(`${'{"a":1},'.repeat(maxKeys)}"`)).toBe(false)
  })
})

describe('too many objects and lists', () => {
  const hasTooMany = (text: string) =>
    excessOfJsonText(text) === `more than ${maxContainers} objects and lists`

  it.each(['{    }', '[    ]', '[[  ]  ]', '{"a":[]}', '[{"a":1}]'])(
    'are found before a text is parsed: %s',
    (one) => {
      const each = one.replaceAll(/[^[{]/g, '').length
      const most = Math.floor((maxContainers - 1) / each)
      expect(hasTooMany(listOf(most, () => one))).toBe(false)
      expect(hasTooMany(listOf(most + 1, () => one))).toBe(true)
    },
  )

  it('are not made by brackets in texts and keys', () => {
    const brackets = '[{'.repeat(maxContainers)
    expect(excessOfJsonText(JSON.stringify({ [brackets]: `"${brackets}\\` }))).toBeUndefined()
  })
})

describe('too many orders of keys', () => {
  const hasTooMany = (text: string) =>
    excessOfJsonText(text) === `more than ${maxShapes} different orders of keys`

  it.each<[string, number, (nth: number) => string]>([
    ['one key each', 1, (nth) => `{"k${nth}":1}`],
    ['keys behind another one', 3, (nth) => `{"k${nth}":1,"a":2,"b":[{"a":3}]}`],
    ['few keys in many orders', 3, (nth) => `{"k${nth % 40}":1,"l${Math.floor(nth / 40)}":1,"m":1,"n":1}`],
    ['a common beginning', 1, (nth) => `{"id":1,"k${nth}":{"id":2}}`],
  ])('are found in objects with %s', (_name, each, object) => {
    const long = (nth: number) => `${object(nth)},"${'x'.repeat(200)}"`
    expect(hasTooMany(listOf((0.9 * maxShapes) / each, long))).toBe(false)
    expect(hasTooMany(listOf((1.2 * maxShapes) / each, long))).toBe(true)
  })

  it('are not made by objects of the same keys, by one large object, nor by large objects far down', () => {
    const same = listOf(3 * maxShapes, (nth) => `{"id":${nth},"name":{"first":"a"}}`)
    const large = members(3 * maxShapes, (nth) => `"k${nth}":1`)
    const deep = '['.repeat(1000) + large + ']'.repeat(1000)
    expect([same, large, deep].map(excessOfJsonText)).toEqual([undefined, undefined, undefined])
  })
})
