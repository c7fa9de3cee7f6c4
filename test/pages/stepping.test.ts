import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'
import type { Moment } from '../../pages/try/state/moments.ts'
import { createStepper } from '../../pages/try/state/stepping.ts'

const turnOf = (...blockIds: string[]) =>
  ({ trace: { steps: blockIds.map((blockId) => ({ block: { blockId } })) } }) as unknown as Moment

function stepThrough(...turns: Moment[]) {
  const stepper = createStepper(signal(turns))
  return { ...stepper, at: () => [stepper.position.value?.turn, stepper.position.value?.done] }
}

describe('stepping through a turn', () => {
  it('goes from block to block, back, and out at the end', () => {
    const { begin, by, at } = stepThrough(turnOf('a'), turnOf('b', 'c'))
    begin(1)
    expect(at()).toEqual([1, 0])
    by(-1)
    expect(at()).toEqual([1, 0])
    by(1)
    expect(at()).toEqual([1, 1])
    by(1)
    expect(at()).toEqual([undefined, undefined])
  })

  it('stops a turn that comes before each block with a breakpoint, however often it comes to it', () => {
    const { toggle, arrive, goOn, at } = stepThrough(turnOf('a', 'loop', 'b', 'loop', 'c'))
    arrive(0)
    expect(at()).toEqual([undefined, undefined])
    toggle('loop')
    arrive(0)
    expect(at()).toEqual([0, 1])
    goOn()
    expect(at()).toEqual([0, 3])
    goOn()
    expect(at()).toEqual([undefined, undefined])
    toggle('loop')
    arrive(0)
    expect(at()).toEqual([undefined, undefined])
  })

  it('holds what waits for it until the turn is left', async () => {
    const { begin, leave, passed } = stepThrough(turnOf('a'))
    let isPassed = false
    begin(0)
    const waiting = passed().then(() => {
      isPassed = true
    })
    await Promise.resolve()
    expect(isPassed).toBe(false)
    leave()
    await waiting
    expect(isPassed).toBe(true)
  })
})
