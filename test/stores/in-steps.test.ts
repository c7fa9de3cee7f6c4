import { expect, it } from 'vitest'
import { inSteps } from '../../src/stores/in-steps.ts'

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
