import fc from 'fast-check'
import { expect, it } from 'vitest'
import { characterOf, Path } from '../../../src/stores/counts/path-bits.ts'

const indexes = fc.uniqueArray(fc.nat({ max: 4095 }), { maxLength: 60 })

/** The bits of bytes, by Node itself. */
function inBytes(places: readonly number[]): string {
  const bytes = Buffer.alloc(Math.floor(Math.max(-8, ...places) / 8) + 1)
  for (const index of places) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  return bytes.toString('base64url')
}

it('writes the places of a path as bits of bytes, in whatever order it came through them', () => {
  fc.assert(
    fc.property(indexes, (places) => {
      const path = new Path()
      for (const index of places) path.add(index)
      expect(path.toString()).toBe(inBytes(places))
    }),
  )
})

it('reads what it has written', () => {
  fc.assert(
    fc.property(indexes, indexes, (places, others) => {
      const path = new Path(inBytes(places))
      expect([...path]).toEqual(places.toSorted((one, other) => one - other))
      for (const index of [...places, ...others]) {
        const { at, oneOf } = characterOf(index)
        const isThere = places.includes(index)
        expect(path.has(index)).toBe(isThere)
        expect(oneOf.includes(path.toString().charAt(at))).toBe(isThere)
      }
      for (const index of others) path.add(index)
      expect(path.toString()).toBe(inBytes([...places, ...others]))
    }),
  )
})
