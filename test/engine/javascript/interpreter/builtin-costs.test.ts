import { describe, expect, it } from 'vitest'
import type { Data } from '../../../../src/engine/javascript/interpreter/data.ts'
import {
  listMethods,
  namedFunctions,
  numberMethods,
} from '../../../../src/engine/javascript/interpreter/list-builtins.ts'
import { binaryOperators, unaryOperators } from '../../../../src/engine/javascript/interpreter/operators.ts'
import { textMethods } from '../../../../src/engine/javascript/interpreter/string-builtins.ts'

const length = 2 ** 16
const digits = '7'.repeat(length)

function spentBy(work: (budget: { spend(amount: number): void }) => unknown): number {
  let spent = 0
  work({
    spend(amount) {
      spent += amount
    },
  })
  return spent
}

/** What looks at no character of a text that it is given. */
const inNoTime = new Set([
  ...['Array.isArray', 'Boolean', 'Number.isFinite', 'Number.isInteger', 'Number.isNaN', 'String'],
])

describe('what code is charged for a long text', () => {
  it.each([...textMethods.keys()])('grows with it in %s', (name) => {
    const method = textMethods.get(name)!
    expect(spentBy((budget) => method(digits, ['8'], budget))).toBeGreaterThanOrEqual(length / 16)
  })

  it.each(['indexOf', 'startsWith', 'split'])('grows with an argument of %s', (name) => {
    const spent = spentBy((budget) => textMethods.get(name)!('7', [digits], budget))
    expect(spent).toBeGreaterThanOrEqual(length / 64)
  })

  it.each([...namedFunctions.keys()])('grows with it in %s', (name) => {
    const spent = spentBy((budget) => namedFunctions.get(name)!(undefined, [digits], budget))
    if (inNoTime.has(name)) expect(spent).toBe(0)
    else expect(spent).toBeGreaterThanOrEqual(length / 4)
  })

  it.each([...binaryOperators.keys()].filter((sign) => !/^[!=]==$/.test(sign)))(
    'grows with it beside a number at %s',
    (sign) => {
      const apply = binaryOperators.get(sign)!
      expect(spentBy((budget) => apply(digits, 5, budget))).toBeGreaterThanOrEqual(length / 4)
      expect(spentBy((budget) => apply(5, digits, budget))).toBeGreaterThanOrEqual(length / 4)
    },
  )

  it.each([...binaryOperators.keys()])('grows with two at %s', (sign) => {
    const other = `${digits.slice(1)}8`
    const spent = spentBy((budget) => binaryOperators.get(sign)!(digits, other, budget))
    expect(spent).toBeGreaterThanOrEqual(length / 64)
  })

  it.each(['+', '-', '~'])('grows with it behind %s', (sign) => {
    const spent = spentBy((budget) => unaryOperators.get(sign)!(digits, budget))
    expect(spent).toBeGreaterThanOrEqual(length / 4)
  })
})

describe('what code is charged for a list', () => {
  it.each([...listMethods.keys()])('grows with it in %s', (name) => {
    const list = Array.from({ length }, (_, index) => index)
    const spent = spentBy((budget) => listMethods.get(name)!(list, [1], budget))
    expect(spent).toBeGreaterThanOrEqual(length)
  })
})

describe('what code is charged for writing a number', () => {
  it('counts the digits that a fraction has in another base', () => {
    const spentOn = (number: number, radix?: number) =>
      spentBy((budget) => numberMethods.get('toString')!(number, [radix], budget))
    expect(spentOn(Number.MIN_VALUE, 2)).toBeGreaterThan(50 * spentOn(255, 16))
    expect(spentOn(0.5)).toBe(spentOn(255, 16))
    expect(spentOn(255, 16)).toBeGreaterThan(0)
  })
})

describe('a search', () => {
  it('is no error for being long', () => {
    const [text, wanted] = ['7'.repeat(2 ** 20), '7'.repeat(2 ** 20)]
    for (const name of ['indexOf', 'startsWith', 'endsWith']) {
      let found: Data
      spentBy((budget) => {
        found = textMethods.get(name)!(text, [wanted], budget)
      })
      expect(found).toBe(name === 'indexOf' ? 0 : true)
    }
  })
})
