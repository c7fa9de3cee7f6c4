import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { textPatterns } from '../../../src/stores/codec/text-pattern.ts'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'

it('finds every text by each of its parts, whatever their capitals', async () => {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  const compare = database.prepare(`SELECT ?1 LIKE ?2 ESCAPE '\\' AS isLike`)
  const isLike = (line: string, text: string) =>
    textPatterns({ text }).every(({ like }) => (compare.get(line, like) as { isLike: number }).isLike === 1)
  const sign = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom(...'%_\\"\n\tkKiIİKΣßﬁ'),
  )
  fc.assert(
    fc.property(fc.array(sign, { minLength: 1 }), fc.nat(), fc.nat(), (signs, from, length) => {
      const text = signs.join('')
      const small = [...text.toLowerCase()]
      const start = from % small.length
      const part = small.slice(start, start + 1 + (length % (small.length - start))).join('')
      expect(isLike(JSON.stringify(['b', text]), part)).toBe(true)
    }),
  )
  expect(isLike(JSON.stringify(['b', 'Ada']), 'Bob')).toBe(false)
  expect(isLike(JSON.stringify(['b', 'Kim Ünal']), 'kim ülo')).toBe(false)
})
