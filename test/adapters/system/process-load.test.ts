import { getHeapStatistics } from 'node:v8'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createProcessLoad, usualHeapBytes } from '../../../src/adapters/system/process-load.ts'

/** The load of a process whose event loop is late at will. */
function measured() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let elapsedMs = 0
  const load = createProcessLoad(() => elapsedMs)
  onTestFinished(() => {
    load.close()
    vi.useRealTimers()
  })
  const be = (lateMs: number) => {
    elapsedMs += 250 + lateMs
    vi.advanceTimersByTime(250)
  }
  return { load, be }
}

it('finds no delay where there is none', () => {
  const { load, be } = measured()
  for (const lateMs of [0, 0, -1, 0]) be(lateMs)
  expect(load.delayMs).toBe(0)
})

it('forgives the pause of a large definition, and forgets it', () => {
  const { load, be } = measured()
  be(400)
  expect(load.delayMs).toBe(100)
  for (let sample = 0; sample < 20; sample++) be(0)
  expect(load.delayMs).toBeLessThan(1)
})

it('sees that the loop is always late', () => {
  const { load, be } = measured()
  for (let sample = 0; sample < 20; sample++) be(800)
  expect(load.delayMs).toBeGreaterThan(790)
})

it('measures the heap anew', () => {
  const { load, be } = measured()
  const before = load.heapBytes
  expect(before).toBeGreaterThan(1_000_000)
  const kept = Array.from({ length: 1_000_000 }, (_, index) => [index])
  expect(load.heapBytes).toBe(before)
  be(0)
  expect(load.heapBytes).toBeGreaterThan(before + 10_000_000)
  expect(kept.length).toBe(1_000_000)
})

it('measures no more once it is closed', () => {
  const { load, be } = measured()
  load.close()
  be(5000)
  expect(load.delayMs).toBe(0)
})

it('leaves room below the end of the heap', () => {
  expect(usualHeapBytes()).toBeLessThan(getHeapStatistics().heap_size_limit)
  expect(usualHeapBytes()).toBeGreaterThan(getHeapStatistics().heap_size_limit / 2)
})
