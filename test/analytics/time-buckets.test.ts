import { expect, it } from 'vitest'
import { bucketOf, medianSeconds, secondsOf } from '../../src/analytics/time-buckets.ts'

it.each([0, 1, 999, 1000, 1001, 60_000, 3_600_000, 40 * 86_400_000])(
  '%d ms lie within their bucket',
  (ms) => {
    const bucket = bucketOf(ms)
    expect(secondsOf(bucket)).toBeGreaterThanOrEqual(ms / 1000)
    if (bucket > 0) expect(secondsOf(bucket - 1)).toBeLessThan(ms / 1000)
  },
)

it('ends somewhere', () => {
  expect(bucketOf(1e15)).toBe(48)
})

it('finds the time of the half', () => {
  expect(medianSeconds(new Map())).toBeUndefined()
  expect(medianSeconds(new Map([[4, 1]]))).toBe(4)
  expect(
    medianSeconds(
      new Map([
        [0, 3],
        [4, 2],
        [8, 1],
      ]),
    ),
  ).toBe(1)
  expect(
    medianSeconds(
      new Map([
        [8, 4],
        [0, 1],
        [4, 2],
      ]),
    ),
  ).toBe(16)
})
