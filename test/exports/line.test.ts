import { expect, it } from 'vitest'
import { createLine } from '../../src/exports/line.ts'

it('lets so much work run at once, in order, and goes on after work that fails', async () => {
  const line = createLine(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const works = [0, 1, 2, 3].map((nth) =>
    line(async () => {
      begun.push(nth)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (nth === 0) throw new Error('broken')
      return nth
    }),
  )
  const settled = Promise.allSettled(works)
  await new Promise(setImmediate)
  expect(begun).toEqual([0, 1])
  for (const nth of [0, 1, 2, 3]) {
    ends[nth]?.()
    await new Promise(setImmediate)
    expect(begun.length).toBe(Math.min(4, nth + 3))
  }
  expect(begun).toEqual([0, 1, 2, 3])
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})
