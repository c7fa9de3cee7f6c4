import fc from 'fast-check'
import { expect, it } from 'vitest'
import { updatedResult } from '../../../src/stores/codec/apply-result-update.ts'
import { readResult, writeChange, writeResult } from '../../../src/stores/codec/result-codec.ts'
import { answering } from '../contracts/conversation-store.ts'

const first = answering('r1', 'a', { transcript: [{ role: 'user', text: 'a\n"Ω"' }] })
const second = answering('r1', 'b', { now: 1_795_252_621_999, isCompleted: true })
const result = updatedResult(undefined, first)

it('reads a result with the changes that follow it', () => {
  expect(readResult(writeResult(result))).toEqual(result)
  expect(readResult(writeResult(result) + writeChange(second))).toEqual(updatedResult(result, second))
})

it('reads many changes as if each had been applied by itself, however much was said', () => {
  const lines = fc.array(fc.constantFrom(1, 100, 90_000, 270_000), { maxLength: 4 })
  const counts = fc.array(
    fc.oneof(lines, fc.constantFrom(...[400, 1000].map((length) => Array(length).fill(1)))),
    {
      maxLength: 6,
    },
  )
  fc.assert(
    fc.property(counts, (turns) => {
      const changes = turns.map((lengths, turn) => ({
        ...second,
        now: second.now + turn,
        transcript: lengths.map((length) => ({ role: 'user' as const, text: `${turn}`.repeat(length) })),
      }))
      const text = changes.map(writeChange).join('')
      expect(readResult(writeResult(result) + text)).toEqual(changes.reduce(updatedResult, result))
    }),
  )
})

it('writes in the format before what has no language, and reads both', () => {
  const third = { ...second, locale: 'fr' }
  const french = updatedResult(result, third)
  expect([writeResult(result), writeChange(second)].map((text) => text.trim().slice(0, 3))).toEqual([
    '[1,',
    '[1,',
  ])
  expect([writeResult(french), writeChange(third)].map((text) => text.trim().slice(0, 3))).toEqual([
    '[2,',
    '[2,',
  ])
  expect(readResult(writeResult(result) + writeChange(third))).toEqual(french)
  expect(readResult(writeResult(french) + writeChange(second))).toEqual(updatedResult(french, second))
})

it('writes in a format of its own what has marks or a time, and reads it', () => {
  const masked = [
    { name: 'Email', sensitivity: 'personal', mark: '[Email]', text: 'ada@shop.example' },
  ] as const
  for (const more of [{ retention: { results: 1000 } }, { masked }]) {
    const marked = { ...second, ...more }
    const whole = updatedResult(result, marked)
    expect(writeResult(whole).slice(0, 3)).toBe('[3,')
    expect(readResult(writeResult(result) + writeChange(marked))).toEqual(whole)
  }
})

it.each([
  ['a result', `[4,"r1"]`],
  ['a change', `${writeResult(result)}\n[4,5]`],
])('refuses %s in the format of a later version', (_, text) => {
  expect(() => readResult(text)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }))
})

it('names the request of a change that left logs, and of no other', () => {
  const logs = [{ status: 'info', description: 'Seen' }] as const
  const quiet = { ...second, logs: [], requestId: 'q1' }
  expect(writeChange(quiet)).not.toContain('q1')
  const read = readResult(writeResult(result) + writeChange({ ...quiet, logs }))
  expect(read).toEqual(updatedResult(result, { ...quiet, logs }))
  expect(read.logs.at(-1)).toMatchObject({ requestId: 'q1' })
})
