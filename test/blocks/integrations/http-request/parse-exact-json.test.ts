import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../../../src/blocks/json-texts.ts'

const longAsText = (_key: string, value: unknown) =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) < 1e21
    ? String(value)
    : value

describe('parseExactJson', () => {
  it.each<[string, unknown]>([
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['{"id":12345678901234567890,"n":1}', { id: '12345678901234567890', n: 1 }],
    ['[1, 12345678901234567890 ,2]', [1, '12345678901234567890', 2]],
    ['"12345678901234567890"', '12345678901234567890'],
    [
      '{"12345678901234567890":"\\"12345678901234567890\\\\"}',
      { '12345678901234567890': '"12345678901234567890\\' },
    ],
    ['0.12345678901234567890', 0.12345678901234568],
    ['1.0000000000000000000', 1],
    ['1000000000000000000e1', 1e19],
    ['1e300', 1e300],
    ['"12n"', '12n'],
    ['{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
    ['null', null],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual({ value })
  })

  it.each([
    '',
    'x',
    '"open',
    '"open\\"',
    '{"a":12345678901234567890',
    '012345678901234567890',
    '12345678901234567890n',
    '+12345678901234567890',
    ']'.repeat(200),
  ])('takes %s for no JSON', (text) => {
    expect(parseExactJson(text)).toBeUndefined()
  })

  it('reads 128 levels and no more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseExactJson(nested(128))).toBeDefined()
    expect(parseExactJson(nested(129))).toBeUndefined()
    expect(parseExactJson(`[${'[],'.repeat(1000)}"${'['.repeat(1000)}"]`)).toBeDefined()
  })

  it('reads all other JSON as it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(parseExactJson(text)).toEqual({ value: JSON.parse(text, longAsText) })
      }),
    )
  })

  it('reads a number of megabytes as its digits', () => {
    const digits = '9'.repeat(5 * 1024 * 1024)
    expect(parseExactJson(digits)).toEqual({ value: digits })
  })

  it.each(['"\\', '\\"', '[', '{"a":', '-'])('comes to an end on megabytes of %s', (part) => {
    const text = part.repeat((5 * 1024 * 1024) / part.length)
    expect(parseExactJson(text)).toBe(undefined)
  })
})
