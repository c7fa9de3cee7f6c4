import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueTimes } from '../../../src/stores/in-process/due-times.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const dueBy = (times: DueTimes, now: number) => [...times.by(now)]

describe('DueTimes', () => {
  it('tells what is due, the earliest first', () => {
    const times = new DueTimes()
    times.set('late', 2500)
    times.set('early', 1500)
    times.set('first', 1200)
    expect(dueBy(times, 1499)).toEqual([['first', 1200]])
    expect(dueBy(times, 3000).map(([key]) => key)).toEqual(['first', 'early', 'late'])
  })

  it('holds back what was put off, however often and wherever the clock jumps', () => {
    const times = new DueTimes()
    for (let due = 1000; due <= 9000; due += 400) times.set('a', due)
    expect(dueBy(times, 8999)).toEqual([])
    expect(dueBy(times, 10_000_000)).toEqual([['a', 9000]])
    times.set('a', undefined)
    expect(dueBy(times, 20_000_000)).toEqual([])
  })

  it('is as a list that is sorted anew each time', () => {
    const step = fc.record({
      key: fc.constantFrom(...keys),
      due: fc.option(fc.integer({ min: 0, max: 12_000 }), { nil: undefined }),
      now: fc.option(fc.integer({ min: 0, max: 15_000 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const times = new DueTimes()
        const plain = new Map<string, number>()
        for (const { key, due, now } of steps) {
          times.set(key, due)
          if (due === undefined) plain.delete(key)
          else plain.set(key, due)
          expect(times.get(key)).toBe(due)
          if (now === undefined) continue
          const found = dueBy(times, now)
          expect(found.map(([, at]) => at)).toEqual(
            found.map(([, at]) => at).toSorted((one, other) => one - other),
          )
          expect(new Map(found)).toEqual(new Map([...plain].filter(([, at]) => at <= now)))
          expect(found).toHaveLength(new Set(found.map(([one]) => one)).size)
        }
      }),
    )
  })
})
