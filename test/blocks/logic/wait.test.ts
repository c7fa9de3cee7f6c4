import { describe, expect, it } from 'vitest'
import type { WaitBlock } from '../../../schemas/blocks/logic.ts'
import { wait } from '../../../src/blocks/logic/client-steps.ts'
import { runBlock } from '../../support/run-block.ts'

function waitBlock(options?: WaitBlock['options']): WaitBlock {
  return { id: 'b1', type: 'Wait', ...(options && { options }) }
}

function run(options?: WaitBlock['options']) {
  return runBlock(wait, waitBlock(options), { variables: { Delay: '3', Gap: null } })
}

describe('Wait', () => {
  it.each([
    ['2', 2],
    ['1,5s', 1.5],
    ['.5', 0.5],
    ['1,5,7', 1.5],
    [' 4 seconds', 4],
    ['{{Delay}}', 3],
    ['{{Delay}}0', 30],
    [7, 7],
    [0.25, 0.25],
  ])('reads %j as %d seconds and goes on', (secondsToWaitFor, seconds) => {
    expect(run({ secondsToWaitFor })).toEqual({
      actions: [{ type: 'wait', wait: { secondsToWaitFor: seconds } }],
    })
  })

  it.each(['abc', '{{Gap}}', '', 'Infinity', '1e999', undefined])(
    'does nothing for %j, even when it pauses',
    (secondsToWaitFor) => {
      expect(run({ shouldPause: true, ...(secondsToWaitFor !== undefined && { secondsToWaitFor }) })).toEqual(
        {},
      )
    },
  )

  it.each([['0'], ['-2'], [0]])('does nothing for %j without a pause', (secondsToWaitFor) => {
    expect(run({ secondsToWaitFor })).toEqual({})
    expect(run({ secondsToWaitFor, shouldPause: false })).toEqual({})
  })

  it.each([
    ['2', 2],
    ['0', 0],
    [0, 0],
    ['-2', 0],
  ])('stops the walk at %j seconds when it pauses', (secondsToWaitFor, seconds) => {
    expect(run({ secondsToWaitFor, shouldPause: true })).toEqual({
      actions: [{ type: 'wait', wait: { secondsToWaitFor: seconds }, expectsDedicatedReply: true }],
      next: { to: 'wait' },
    })
  })

  it('repeats that it does not pause', () => {
    expect(run({ secondsToWaitFor: '1', shouldPause: false })).toEqual({
      actions: [{ type: 'wait', wait: { secondsToWaitFor: 1 }, expectsDedicatedReply: false }],
    })
  })

  it('does nothing without options', () => {
    expect(run()).toEqual({})
  })

  it('always passes unless it pauses', () => {
    expect(wait.isPassThrough?.(waitBlock({ secondsToWaitFor: 1 }))).toBe(true)
    expect(wait.isPassThrough?.(waitBlock({ secondsToWaitFor: 1, shouldPause: true }))).toBe(false)
  })

  it.each([61, '60,5', '90 seconds'])('does not pass where the service waits, for %j', (secondsToWaitFor) => {
    expect(wait.isPassThrough?.(waitBlock({ secondsToWaitFor }))).toBe(false)
  })
})
