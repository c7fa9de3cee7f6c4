import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { withTimeLimit } from '../../../src/conversations/turn/abort.ts'

const untilAborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    signal.addEventListener('abort', () => resolve(signal.reason))
  })

const never = () => new AbortController().signal

it('gives what the work comes to, and leaves nothing behind', async () => {
  const outer = never()
  expect(await withTimeLimit(60_000, outer, async () => 5)).toBe(5)
  await expect(withTimeLimit(60_000, outer, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(getEventListeners(outer, 'abort')).toEqual([])
})

it('signals the work when its time is over', async () => {
  expect(await withTimeLimit(1, never(), untilAborted)).toEqual(new Error('The turn has no time left'))
})

it.each([
  ['meanwhile', async (controller: AbortController) => controller.abort('closing')],
  ['before', (controller: AbortController) => controller.abort('closing')],
])('tells the work when somebody else gives up: %s', async (_name, giveUp) => {
  const controller = new AbortController()
  const gaveUp = giveUp(controller)
  const told = withTimeLimit(60_000, controller.signal, untilAborted)
  await gaveUp
  expect(await told).toBe('closing')
})
