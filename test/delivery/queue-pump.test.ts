import { expect, it, onTestFinished, vi } from 'vitest'
import { QueuePump } from '../../src/delivery/queue-pump.ts'
import type { SendOutcome } from '../../src/stores/outgoing/outbox-store.ts'
import { skipPauses } from '../support/skip-pauses.ts'

/** Does two events; which it has done, and which it has noted. What takes time moves a clock. */
async function done(
  { claimMs = 0, failures = 0, handleMs = 0 },
  outcome: SendOutcome = { state: 'delivered' },
) {
  skipPauses((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = 0
  const handled: string[] = []
  const settled: string[] = []
  const events = ['first', 'second'].map((eventId, number) => ({
    ...{ destination: 'd', line: eventId, eventId, type: 't', body: '', number },
    ...{ attempts: 1, createdAt: 0 },
  }))
  let claims = 0
  let left = failures
  const pump = new QueuePump({
    queue: {
      async claim() {
        claims += 1
        if (claims === 1) now += claimMs
        return claims === 1 ? events : []
      },
      async settle({ number }) {
        left -= 1
        if (left >= 0) throw new Error('the store is away')
        settled.push(events[number]!.eventId)
      },
    },
    refresh: async () => undefined,
    destinations: () => ['d'],
    async handle({ eventId }) {
      now += handleMs
      handled.push(eventId)
      return outcome
    },
    ...{ atOnce: 8, leaseMs: 1000, elapsed: () => now, log: { warn: () => undefined }, what: 'events' },
  })
  onTestFinished(() => pump.close())
  while (claims <= 2) await vi.advanceTimersByTimeAsync(1000)
  return { handled, settled: settled.toSorted() }
}

const both = ['first', 'second']

it('does what it has claimed', async () => {
  expect(await done({})).toEqual({ handled: both, settled: both })
})

it('leaves to others what it could not begin before its lease ran out', async () => {
  expect(await done({ claimMs: 1000 })).toEqual({ handled: [], settled: [] })
})

it('notes what it has done as soon as its store is back', async () => {
  expect(await done({ failures: 3 })).toEqual({ handled: both, settled: both })
})

it('gives up what it could not note before its lease ran out', async () => {
  expect(await done({ failures: 1, handleMs: 1000 })).toEqual({ handled: both, settled: ['second'] })
})

it('gives back once what it has not tried, as others may have claimed it as the same attempt since', async () => {
  const untried = await done({ failures: 1 }, { state: 'waiting', pauseMs: 5000 })
  expect(untried).toEqual({ handled: both, settled: ['second'] })
  const failed = await done({ failures: 1 }, { state: 'waiting', pauseMs: 5000, error: 'busy' })
  expect(failed).toEqual({ handled: both, settled: both })
})
