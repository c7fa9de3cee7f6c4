import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextPool } from '../../../src/stores/in-process/text-pool.ts'
import { usedHeap } from '../used-heap.ts'

const lengths = fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 90_000 }))
const step = fc.record({
  which: fc.nat({ max: 40 }),
  length: lengths,
  character: fc.constantFrom('a', 'é', '€', '😀', '\ud800'),
  isFreed: fc.boolean(),
})

it('gives back the last text of each handle, whatever is written, freed and moved', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const pool = new TextPool()
      const handles = new Map<number, number>()
      const texts = new Map<number, string>()
      for (const { which, length, character, isFreed } of steps) {
        const text = `${which}:${character.repeat(length)}`
        const handle = handles.get(which)
        if (handle === undefined) handles.set(which, pool.add(text))
        else if (isFreed) pool.free(handle)
        else pool.set(handle, text)
        if (handle !== undefined && isFreed) handles.delete(which)
        texts.set(which, text)
        for (const [each, kept] of handles) expect(pool.get(kept)).toBe(texts.get(each))
      }
    }),
  )
})

it('holds little more than the texts that it has, however often they are written', () => {
  const before = usedHeap()
  const pool = new TextPool()
  const handles = Array.from({ length: 20_000 }, (_, nth) => pool.add(`${nth}`.padEnd(100)))
  const textOf = (nth: number) => `${nth}`.padEnd(100 + (nth % 150))
  for (let nth = 0; nth < 200_000; nth++)
    pool.set(handles[(nth * 7919) % handles.length] as number, textOf(nth))
  const characters = handles.reduce((sum, handle) => sum + pool.get(handle).length, 0)
  expect((usedHeap() - before) / characters).toBeLessThan(1.5)
})
