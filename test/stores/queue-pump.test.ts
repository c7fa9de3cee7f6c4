import { expect, it, onTestFinished } from 'vitest'
import { QueuePump } from '../../src/stores/outgoing/queue-pump.ts'

/** Does what is claimed in so many milliseconds; which events it has done. */
async function doneWithin(claimMs: number): Promise<string[]> {
  let now = 0
  const done: string[] = []
  const events = ['first', 'second'].map((eventId, number) => ({
    ...{ destination: 'd', line: eventId, eventId, type: 't', body: '', number },
    ...{ attempts: 1, createdAt: 0 },
  }))
  let claims = 0
  const pump = new QueuePump({
    queue: {
      async claim() {
        claims += 1
        if (claims === 1) now += claimMs
        return claims === 1 ? events : []
      },
      settle: async () => undefined,
    },
    refresh: async () => undefined,
    destinations: () => ['d'],
    async handle({ eventId }) {
      done.push(eventId)
      return { state: 'delivered' }
    },
    ...{ atOnce: 8, leaseMs: 1000, elapsed: () => now, log: { warn: () => undefined }, what: 'events' },
  })
  onTestFinished(() => pump.close())
  await expect.poll(() => claims).toBeGreaterThan(1)
  return done
}

it('does what it has claimed', async () => {
  expect(await doneWithin(10)).toEqual(['first', 'second'])
})

it('leaves to others what it could not begin before its lease ran out', async () => {
  expect(await doneWithin(1000)).toEqual([])
})
