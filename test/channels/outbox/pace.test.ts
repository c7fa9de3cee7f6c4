import { expect, it } from 'vitest'
import { Pace } from '../../../src/channels/outbox/pace.ts'

/** What is sent at which times, where each is sent as soon as it may be. */
function timesOf(pace: Pace, clock: { now: number }, count: number): number[] {
  return Array.from({ length: count }, () => {
    clock.now += pace.waitMs('a')
    pace.count('a')
    return clock.now
  })
}

it('lets a burst go at once, and what comes behind at the rate', () => {
  const clock = { now: 0 }
  const pace = new Pace({ messages: 1, perMs: 6000, burst: 3 }, () => clock.now)
  expect(timesOf(pace, clock, 5)).toEqual([0, 0, 0, 6000, 12000])
})

it('gives back what was borrowed, as time passes', () => {
  const clock = { now: 0 }
  const pace = new Pace({ messages: 1, perMs: 1000, burst: 2 }, () => clock.now)
  timesOf(pace, clock, 2)
  clock.now = 10_000
  expect(timesOf(pace, clock, 3)).toEqual([10_000, 10_000, 11_000])
})

it('keeps names apart', () => {
  const pace = new Pace({ messages: 1, perMs: 1000 }, () => 0)
  pace.count('a')
  expect(pace.waitMs('a')).toBe(1000)
  expect(pace.waitMs('b')).toBe(0)
})
