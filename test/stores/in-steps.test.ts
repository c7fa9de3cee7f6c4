import { expect, it } from 'vitest'
import { createStepLine, inSteps, restAfter } from '../../src/stores/in-steps.ts'

it('takes steps until one says that nothing is left, and lets others in between two', async () => {
  const order: string[] = []
  const turn = () => setImmediate(() => order.push('turn'))
  let left = 3
  await inSteps(async () => {
    order.push('step')
    turn()
    left -= 1
    return left > 0
  })
  expect(order).toEqual(['step', 'turn', 'step', 'turn', 'step'])
})

it('ends with what fails', async () => {
  await expect(inSteps(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
})

it('stands in a line a step at a time, so that who has little to do does not wait for who has much', async () => {
  const line = createStepLine(1)
  const order: string[] = []
  const take = (name: string, steps: number) => {
    let left = steps
    return inSteps(async () => {
      order.push(name)
      left -= 1
      return left > 0
    }, line)
  }
  await Promise.all([take('long', 4), take('short', 1), take('other', 2)])
  expect(order).toEqual(['long', 'short', 'other', 'long', 'other', 'long', 'long'])
})

it('rests in a line after its last step, too, so that turns have their time before that of another', async () => {
  const line = createStepLine(1)
  const order: string[] = []
  const take = (name: string) =>
    inSteps(async () => {
      await new Promise(setImmediate)
      order.push(name)
      setImmediate(() => order.push('turn'))
      return false
    }, line)
  await Promise.all([take('one'), take('other')])
  expect(order).toEqual(['one', 'turn', 'other', 'turn'])
})

it('has nobody who begins wait while another rests between two of its steps', async () => {
  const line = createStepLine(1)
  const order: string[] = []
  const further: typeof line.further = (work, signal) =>
    line.further(work, signal).finally(() => void order.push('rested'))
  const take = (name: string) => inSteps(async () => order.push(name) === 0, line)
  let steps = 0
  let begun: Promise<void> | undefined
  const long = async () => {
    order.push('long')
    steps += 1
    if (steps === 2) begun = take('short')
    return steps < 3
  }
  await inSteps(long, { ...line, further })
  await begun
  expect(order).toEqual(['long', 'long', 'short', 'rested', 'long', 'rested'])
})

it.each([
  ['as long as a step that nothing held up', 2, 2, 2],
  ['longer the more slowly a step went', 6, 2, 18],
  ['no more than ten times as long', 30, 1, 300],
  ['never for long', 1000, 2, 500],
])('rests %s', (_how, tookMs, fastestMs, restMs) => {
  expect(restAfter(tookMs, fastestMs)).toBe(restMs)
})
