import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ShortSessions } from '../../../src/stores/in-process/short-sessions.ts'

const hash = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '_'), minLength: 43, maxLength: 43 })
const payload = fc.option(fc.record({ number: fc.nat(), text: fc.json() }), { nil: undefined })

it('reads what it has written, of whatever id, version, variables and payload', () => {
  const sessions = new ShortSessions()
  fc.assert(
    fc.property(
      fc.string(),
      fc.oneof(hash, fc.string()),
      fc.json(),
      payload,
      (id, program, values, given) => {
        const text = JSON.stringify([6, 1, id, 'live', [[program, 'flow', values]], { said: id }])
        expect(sessions.read(id, sessions.write(id, { text, payload: given }))).toEqual({
          text,
          payload: given,
        })
      },
    ),
  )
})

it('leaves out the id, and the hash of a version but for the first thousand others', () => {
  const sessions = new ShortSessions()
  const textOf = (nth: number) => JSON.stringify(['id', [[`${nth}`.padEnd(43, '-'), 'flow']]])
  const short = sessions.write('id', { text: textOf(0), payload: undefined })
  expect(short.length).toBeLessThan(textOf(0).length - 40)
  for (let nth = 1; nth <= 1000; nth++) sessions.write('id', { text: textOf(nth), payload: undefined })
  const late = sessions.write('id', { text: textOf(1000), payload: undefined })
  expect(late).toContain(`${1000}`.padEnd(43, '-'))
  expect(sessions.read('id', late).text).toBe(textOf(1000))
  expect(sessions.read('id', short).text).toBe(textOf(0))
})
