import { expect, it } from 'vitest'
import { createGiveWay } from '../../../src/chat/turn/give-way.ts'

it('gives way once a slice is used up, and begins the next slice then', async () => {
  let now = 0
  let turns = 0
  const giveWay = createGiveWay({
    elapsed: () => now,
    nextTurn: async () => {
      turns += 1
      now += 50
    },
  })
  now = 0.9
  expect(giveWay()).toBeUndefined()
  now = 1
  await giveWay()
  expect([turns, giveWay()]).toEqual([1, undefined])
  now += 1
  await giveWay()
  expect(turns).toBe(2)
})
