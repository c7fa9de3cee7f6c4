import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClaimedEvent, SendOutcome } from '../../../src/stores/outgoing/outbox-store.ts'
import { openMemoryOutbox } from '../../support/memory-outbox.ts'

const destinations = ['webhook:crm', 'webhook:shop']

const step = fc.oneof(
  fc.record({
    type: fc.constant('put' as const),
    destination: fc.constantFrom(...destinations),
    line: fc.constantFrom('a', 'b', 'c'),
    count: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({
    type: fc.constant('claim' as const),
    wanted: fc.subarray(destinations, { minLength: 1 }),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    type: fc.constant('settle' as const),
    outcome: fc.constantFrom<SendOutcome>(
      { state: 'delivered' },
      { state: 'delivered', restMs: 2500 },
      { state: 'waiting', pauseMs: 1500, error: 'refused' },
      { state: 'set aside', error: 'refused' },
    ),
  }),
  fc.record({ type: fc.constant('retry' as const), destination: fc.constantFrom(...destinations) }),
  fc.record({ type: fc.constant('erase' as const), line: fc.constantFrom('a', 'b', 'c') }),
)

describe('MemoryOutbox', () => {
  it('does with what is not read yet as with what is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        let now = 1_000_000
        const bounds = { maxEvents: 150, deliveredMs: 5_000, setAsideMs: 7_000 }
        const [outbox, read] = [openMemoryOutbox(() => now, bounds), openMemoryOutbox(() => now, bounds)]
        const claimed: ClaimedEvent[] = []
        for (const [index, each] of steps.entries()) {
          now += 701
          if (each.type === 'put') {
            const { destination, line } = each
            for (let count = 0; count < each.count; count++) {
              now += 1
              const event = {
                destination,
                line,
                eventId: `${index}-${count}`,
                type: 'a type',
                body: 'a body',
              }
              for (const queue of [outbox, read]) queue.put([event])
            }
          } else if (each.type === 'claim') {
            const wanted = each.wanted.map((destination) => ({ destination, limit: each.limit }))
            const events = await outbox.claim(wanted, 3000)
            expect(events).toEqual(await read.claim(wanted, 3000))
            claimed.push(...events)
          } else if (each.type === 'settle') {
            const event = claimed.shift()
            if (event) for (const queue of [outbox, read]) await queue.settle(event, each.outcome)
          } else if (each.type === 'retry') {
            expect(await outbox.retry(each.destination)).toBe(await read.retry(each.destination))
          } else for (const queue of [outbox, read]) queue.erase(new Set([each.line]))
          // Who lists them reads them all.
          await read.list('webhook:crm', { limit: 1 })
          expect(outbox.usage()).toEqual(read.usage())
          expect(await outbox.countWaiting()).toBe(await read.countWaiting())
        }
        for (const destination of destinations)
          expect(await outbox.list(destination, { limit: 1000 })).toEqual(
            await read.list(destination, { limit: 1000 }),
          )
      }),
    )
  })
})
