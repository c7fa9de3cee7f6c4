import { describe, expect, it } from 'vitest'
import type { SendProblem } from '../../../src/channels/messenger.ts'
import { openChannelWorld } from '../../support/channel-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'

const greeting = wholeDefinition({
  settings: { typingEmulation: { enabled: false } },
  blocks: [{ id: 'b', text: 'Hello' }],
})

/** Moments, in milliseconds behind the first, at which a message is tried whose sending fails so. */
async function triesOf(problem: SendProblem, tellsStatuses: boolean) {
  const tries: number[] = []
  const world = await openChannelWorld([greeting], {
    deeds: {
      tellsStatuses,
      async send() {
        tries.push(world.ports.now())
        return { state: 'failed', problem }
      },
    },
  })
  await world.say('hi')
  for (let step = 0; step < 200; step++) {
    world.ports.advance(500)
    await world.settle()
  }
  const [first = 0] = tries
  return tries.map((at) => at - first)
}

describe('a message that failed', () => {
  it('is tried again ever later', async () => {
    const tries = await triesOf({ kind: 'wait', message: 'busy' }, true)
    expect(tries.slice(0, 4)).toEqual([0, 2000, 6000, 14_000])
  })

  it('is tried again when the messenger says', async () => {
    const tries = await triesOf({ kind: 'wait', message: 'busy', retryAfterMs: 5000 }, true)
    expect(tries.slice(0, 3)).toEqual([0, 5000, 10_000])
  })

  it('and may have been sent is tried again once its status would have come, where statuses come', async () => {
    const doubtful = { kind: 'wait', message: 'no answer', isDoubtful: true } as const
    expect((await triesOf(doubtful, true)).slice(0, 3)).toEqual([0, 15_000, 30_000])
    expect((await triesOf(doubtful, false)).slice(0, 3)).toEqual([0, 2000, 6000])
  })
})
