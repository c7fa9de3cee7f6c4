import { expect, it } from 'vitest'
import { createSemaphore } from '../../src/lib/semaphore.ts'

it('lets so much work run at once, in order, and goes on after work that fails', async () => {
  const run = createSemaphore(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const works = [0, 1, 2, 3].map((nth) =>
    run(async () => {
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

it('never begins work that is given up while it waits', async () => {
  const run = createSemaphore(1)
  const begun: string[] = []
  const begin = (name: string, signal?: AbortSignal) => run(async () => void begun.push(name), signal)
  const stop = new AbortController()
  const first = begin('a')
  const givenUp = begin('b', stop.signal)
  const last = begin('c')
  stop.abort(new Error('no time'))
  await expect(givenUp).rejects.toThrow('no time')
  await Promise.all([first, last])
  await expect(begin('d', stop.signal)).rejects.toThrow('no time')
  expect(begun).toEqual(['a', 'c'])
})
