import { expect, it } from 'vitest'
import { createEventLoopYield } from '../../../src/conversations/turn/yield-to-event-loop.ts'

it('gives way once a slice is used up, and begins the next slice then', async () => {
  let now = 0
  let turns = 0
  const yieldToEventLoop = createEventLoopYield({
    elapsed: () => now,
    nextTurn: async () => {
      turns += 1
      now += 50
    },
  })
  now = 0.9
  expect(yieldToEventLoop()).toBeUndefined()
  now = 1
  await yieldToEventLoop()
  expect([turns, yieldToEventLoop()]).toEqual([1, undefined])
  now += 1
  await yieldToEventLoop()
  expect(turns).toBe(2)
})
