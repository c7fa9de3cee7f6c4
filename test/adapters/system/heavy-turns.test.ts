import { expect, it } from 'vitest'
import { boundHeavyTurns } from '../../../src/adapters/system/turn-queue.ts'

/** Turns that share a queue of any length, at any time. */
function boundedAt(max: number) {
  const queue = { waiting: 0 }
  const clock = { ms: 0 }
  const refused: string[] = []
  const turns = boundHeavyTurns({
    queue,
    max,
    elapsed: () => clock.ms,
    refused: (entry) => refused.push(entry),
  })
  return { queue, clock, refused, turns }
}

it('refuses starts at the bound, and continues at twice that', () => {
  const { queue, refused, turns } = boundedAt(2)
  const admitted = [1, 2, 3, 4].map((waiting) => {
    queue.waiting = waiting
    return [turns.admit('start'), turns.admit('continue')]
  })
  expect(admitted).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [false, false],
  ])
  expect(refused).toEqual(['start', 'start', 'start', 'continue'])
})

it('is full while the bound is reached', () => {
  const { queue, turns } = boundedAt(3)
  queue.waiting = 3
  expect([turns.isFull, turns.waiting]).toEqual([true, 3])
  queue.waiting = 2
  expect([turns.isFull, turns.waiting]).toEqual([false, 2])
})

it('remembers a refusal for ten seconds', () => {
  const { queue, clock, turns } = boundedAt(1)
  expect(turns.hasRefused).toBe(false)
  queue.waiting = 1
  turns.admit('start')
  queue.waiting = 0
  clock.ms = 9_999
  expect(turns.hasRefused).toBe(true)
  clock.ms = 10_000
  expect(turns.hasRefused).toBe(false)
})
