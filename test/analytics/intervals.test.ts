import { expect, it } from 'vitest'
import { compareShares, wilson } from '../../src/analytics/intervals.ts'

it.each([
  // Newcombe 1998, Statistics in Medicine 17: 857–872, table I, method 3.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%d of %d lie within the interval of Wilson', (count, of, low, high) => {
  const interval = wilson({ count, of })
  expect(interval.low).toBeCloseTo(low, 3)
  expect(interval.high).toBeCloseTo(high, 3)
})

it('holds everything where there is nothing to go by', () => {
  expect(wilson({ count: 0, of: 0 })).toEqual({ low: 0, high: 1 })
  expect(compareShares({ count: 0, of: 0 }, { count: 1, of: 2 }, 1)).toBe('none shown')
})

it('shows a difference where the interval of the difference leaves zero out', () => {
  // Newcombe 1998, Statistics in Medicine 17: 873–890, table II, method 10: 0.0524 to 0.3339, and -0.0112 to 0.2292 of fewer.
  expect(compareShares({ count: 56, of: 70 }, { count: 48, of: 80 }, 1)).toBe('higher')
  expect(compareShares({ count: 48, of: 80 }, { count: 56, of: 70 }, 1)).toBe('lower')
  expect(compareShares({ count: 9, of: 10 }, { count: 3, of: 10 }, 1)).toBe('higher')
  expect(compareShares({ count: 6, of: 7 }, { count: 2, of: 7 }, 1)).toBe('higher')
  expect(compareShares({ count: 5, of: 56 }, { count: 0, of: 29 }, 1)).toBe('none shown')
})

it('asks for more where more is compared', () => {
  const [one, other] = [
    { count: 60, of: 100 },
    { count: 45, of: 100 },
  ]
  expect(compareShares(one, other, 1)).toBe('higher')
  expect(compareShares(one, other, 20)).toBe('none shown')
})

it('is wrong about equal shares no more than one time in twenty', () => {
  let state = 9
  const draw = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x7fffffff
  }
  const sample = () => ({
    count: Array.from({ length: 200 }, draw).filter((drawn) => drawn < 0.3).length,
    of: 200,
  })
  const shown = Array.from({ length: 1000 }, () => compareShares(sample(), sample(), 1))
  expect(shown.filter((difference) => difference !== 'none shown').length).toBeLessThan(65)
})
