import { expect, it } from 'vitest'
import { createSemaphore } from '../../../src/adapters/mailer/semaphore.ts'

const signal = new AbortController().signal

/** Enters a gate, and notes when it is inside. */
function enterNoting(gate: ReturnType<typeof createSemaphore>, names: string[], name: string, stop = signal) {
  return gate.enter(stop).then(
    () => names.push(name),
    (reason) => names.push(`${name}: ${reason.message}`),
  )
}

const everybodyElse = () => new Promise((resolve) => setImmediate(resolve))

it('lets in so many, and the next when one leaves', async () => {
  const names: string[] = []
  const gate = createSemaphore(2)
  for (const name of ['a', 'b', 'c', 'd']) void enterNoting(gate, names, name)
  await everybodyElse()
  expect(names).toEqual(['a', 'b'])
  gate.leave()
  await everybodyElse()
  expect(names).toEqual(['a', 'b', 'c'])
  gate.leave()
  gate.leave()
  await everybodyElse()
  expect(names).toEqual(['a', 'b', 'c', 'd'])
  await enterNoting(gate, names, 'e')
  expect(names.at(-1)).toBe('e')
})

it('lets go of those who give up', async () => {
  const names: string[] = []
  const gate = createSemaphore(1)
  const stop = new AbortController()
  await enterNoting(gate, names, 'a')
  const waiting = [enterNoting(gate, names, 'b', stop.signal), enterNoting(gate, names, 'c')]
  stop.abort(new Error('no time'))
  await waiting[0]
  gate.leave()
  await waiting[1]
  await enterNoting(gate, names, 'd', stop.signal)
  expect(names).toEqual(['a', 'b: no time', 'c', 'd: no time'])
})
