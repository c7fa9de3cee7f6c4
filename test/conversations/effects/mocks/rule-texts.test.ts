import { expect, it } from 'vitest'
import { fitsPattern, holdsJson } from '../../../../src/conversations/effects/mocks/rule-texts.ts'

it.each<[pattern: string, text: string, fits: boolean]>([
  ['https://a.example/x', 'https://a.example/x', true],
  ['https://a.example/x', 'https://a.example/xy', false],
  ['https://a.example/*', 'https://a.example/', true],
  ['https://a.example/*', 'https://b.example/', false],
  ['*/orders/**/items', 'https://a.example/orders/7/items', true],
  ['*/orders/*/items', 'https://a.example/orders/items', false],
  ['a*a', 'a', false],
  ['*', '', true],
])('%s fits %s: %s', (pattern, text, fits) => {
  expect(fitsPattern(pattern, text)).toBe(fits)
})

it.each<[wanted: unknown, given: unknown, holds: boolean]>([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: '{{any}}' }, { a: [1] }, true],
  [{ a: '{{any}}' }, {}, false],
  [{ a: { b: null } }, { a: { b: null, c: 1 } }, true],
  [[1, '{{any}}'], [1, 2], true],
  [[1], [1, 2], false],
  [[1], { 0: 1 }, false],
  [{ toString: 1 }, {}, false],
  [{ a: 1 }, undefined, false],
])('%j is held by %j: %s', (wanted, given, holds) => {
  expect(holdsJson(wanted, given)).toBe(holds)
})
