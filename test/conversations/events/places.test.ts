import { expect, it } from 'vitest'
import { createPlaces } from '../../../src/conversations/events/places.ts'

const takeAll = (take: () => unknown) => {
  let taken = 0
  while (take()) taken += 1
  return taken
}

it('gives an address a twentieth, and leaves the others theirs', () => {
  const places = createPlaces(2_000)
  expect(takeAll(() => places.take('192.0.2.1'))).toBe(100)
  const giveBack = places.take('192.0.2.2')
  expect(places.taken).toBe(101)
  giveBack?.()
  expect([places.taken, places.take('192.0.2.1')]).toEqual([100, undefined])
})

it('gives an address twenty however few there are, and nobody more than there are', () => {
  const places = createPlaces(25)
  expect(takeAll(() => places.take('192.0.2.1'))).toBe(20)
  expect(takeAll(() => places.take('192.0.2.2'))).toBe(5)
})
