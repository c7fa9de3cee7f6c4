import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { updatedResult } from '../../../src/stores/codec/apply-result-update.ts'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../../src/stores/memory/memory-contact-store.ts'
import { MemoryTable } from '../../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../../src/stores/memory/results/memory-result-store.ts'
import type { Result, ResultUpdate } from '../../../src/stores/result-store.ts'
import { openMemoryOutbox } from '../../support/memory-outbox.ts'
import { creating, describeResultStore, pagesOf } from '../contracts/result-store.ts'
import { usedHeap } from '../used-heap.ts'

const roomy = 64 * 1024 * 1024

describeResultStore('memory result store', () => {
  const results = new MemoryResultStore({ maxBytes: roomy })
  const table = new MemoryTable({
    sessions: { ttlMs: 60_000, maxSessions: 100_000, maxBytes: roomy, previewMaxBytes: roomy },
    answers: { maxBytes: roomy, ttlMs: 60_000 },
    results,
    outbox: openMemoryOutbox(),
    contacts: new MemoryContactStore({ maxBytes: roomy, now: () => 0 }),
    now: () => 0,
  })
  const conversations = new Conversations({ table, appendLogs: results.appendLogs, maxQueuedTurns: 16 })
  return { results, conversations }
})

/** What a client reports of a result. */
const reportOf = (resultId: string) => ({ flowId: 'flow-1', resultId, key: 'k', logs: [], now: 0 })

const holding = (id: string, length: number): ResultUpdate => ({
  ...creating(id),
  answers: [{ blockId: 'b1', content: 'x'.repeat(length) }],
})

/** Records with these properties, and with or without those. */
const some = <T, More>(
  always: { [Name in keyof T]: fc.Arbitrary<T[Name]> },
  more: { [Name in keyof More]: fc.Arbitrary<More[Name]> },
) =>
  fc.tuple(fc.record(always), fc.record(more, { requiredKeys: [] })).map(([one, two]) => ({ ...one, ...two }))

describe('a result that grows in the memory result store', () => {
  it('is what each of its changes makes of the one before, however many there are', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 600 })
    const change = fc.record(
      {
        variables: fc.array(
          some({ id: text, name: text, value: fc.option(text) }, { sensitivity: fc.constant('personal') }),
          { maxLength: 2 },
        ),
        answers: fc.array(
          some({ blockId: text, content: text }, { attachedFileUrls: fc.constant(['https://a.example/']) }),
          { maxLength: 3 },
        ),
        transcript: fc.array(
          some(
            { role: fc.constantFrom('user', 'person', 'assistant'), text },
            { name: text, generatedBy: fc.constant('model') },
          ),
          { maxLength: 3 },
        ),
        logs: fc.array(fc.record({ description: text, details: text }), { maxLength: 2 }),
        requestId: text,
        hasStarted: fc.boolean(),
        isCompleted: fc.boolean(),
        lastChatSessionId: fc.constantFrom('s1', 's2', '"\n'),
        locale: fc.constant('fr'),
        retention: fc.constant({ results: 1000 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (changes) => {
        const store = new MemoryResultStore({ maxBytes: roomy })
        let expected: Result | undefined
        for (const [now, parts] of changes.entries()) {
          const update = { ...parts, id: 'a', flowId: 'flow-1', now }
          expected = updatedResult(expected, update)
          store.apply([update])
          expect(await store.get('flow-1', 'a')).toStrictEqual(expected)
        }
      }),
      { numRuns: 20 },
    )
  })
})

const tooLarge = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })

describe('bounds of the memory result store', () => {
  it('forgets the least recently used result when they take too many bytes, in lists too', async () => {
    const store = new MemoryResultStore({ maxBytes: 4900 })
    store.apply([holding('a', 1000)])
    store.apply([holding('b', 1000)])
    await store.get('flow-1', 'a')
    store.apply([holding('c', 1000)])
    expect(await store.get('flow-1', 'b')).toBeUndefined()
    expect(await pagesOf(store, 'flow-1', 10)).toEqual([['c', 'a']])
  })

  it('keeps what others have answered while one address starts and answers without end', async () => {
    const store = new MemoryResultStore({ maxBytes: 100_000 })
    const others = Array.from({ length: 20 }, (_, nth) => `other-${nth}`)
    for (const id of others) store.apply([holding(id, 1_000)], `192.0.2.${id}`)
    for (let nth = 0; nth < 500; nth++) {
      store.apply([{ ...holding(`flood-${nth}`, 2_000), answers: [], hasStarted: false }], '198.51.100.1')
      store.apply([holding(`flood-${nth}`, 2_000)], '198.51.100.1')
    }
    const kept = await Promise.all(others.map((id) => store.get('flow-1', id)))
    expect(kept.filter((result) => result === undefined)).toEqual([])
    expect((await store.usage()).bytes).toBeLessThanOrEqual(100_000)
  })

  it('makes one anew that was forgotten, with what a later turn says of it', async () => {
    const store = new MemoryResultStore({ maxBytes: 4900 })
    for (const id of ['a', 'b', 'c']) store.apply([holding(id, 1000)])
    expect(await store.get('flow-1', 'a')).toBeUndefined()
    expect(await store.appendLogs(reportOf('a'))).toBe(false)
    store.apply([holding('a', 10)])
    expect(await store.get('flow-1', 'a')).toMatchObject({ answers: [{ content: 'x'.repeat(10) }] })
  })

  it('leaves erased what was erased when others take its room, and however long ago that is', async () => {
    let now = 0
    const store = new MemoryResultStore({ maxBytes: 4900, expiry: { ttlMs: 100, now: () => now } })
    store.apply([holding('a', 10)])
    await store.delete('flow-1', ['a'])
    for (now = 0; now < 1000; now += 10) store.apply([holding(`other-${now}`, 1000)])
    store.apply([holding('a', 10)])
    expect(await store.get('flow-1', 'a')).toBeUndefined()
  })

  it('does not count a listing as use', async () => {
    const store = new MemoryResultStore({ maxBytes: 4900 })
    store.apply([holding('a', 1000)])
    store.apply([holding('b', 1000)])
    await store.list('flow-1', { limit: 10 })
    store.apply([holding('c', 1000)])
    expect(await pagesOf(store, 'flow-1', 10)).toEqual([['c', 'b']])
  })

  it('refuses a result larger than the whole bound, and keeps what was there', async () => {
    const store = new MemoryResultStore({ maxBytes: 4900 })
    store.apply([holding('a', 10)])
    const before = await store.get('flow-1', 'a')
    expect(() => store.apply([holding('a', 5000)])).toThrow(tooLarge)
    expect(() => store.apply([holding('b', 5000)])).toThrow(tooLarge)
    expect(await store.get('flow-1', 'a')).toStrictEqual(before)
    expect(await pagesOf(store, 'flow-1', 10)).toEqual([['a']])
  })

  it('ends a page early when results are large', async () => {
    const store = new MemoryResultStore({ maxBytes: roomy })
    for (const id of ['a', 'b', 'c']) store.apply([holding(id, 5_000_000)])
    expect(await pagesOf(store, 'flow-1', 10)).toEqual([['c', 'b'], ['a']])
  })

  it.each([
    ['without an answer', {}],
    ['answered', { hasStarted: true }],
  ])(
    'holds no more of results %s than its bound and what marks the erased, whatever comes and goes',
    async (_, more) => {
      const maxBytes = 8 * 1024 * 1024
      const marks = 150 * (40_000 / 3)
      await fill(new MemoryResultStore({ maxBytes: roomy }), 3000, more)
      const before = usedHeap()
      const store = new MemoryResultStore({ maxBytes, expiry: { ttlMs: 60_000, now: () => 0 } })
      await fill(store, 40_000, more)
      expect(usedHeap() - before).toBeLessThan(maxBytes * 1.1 + marks)
      expect((await store.list('flow-1', { limit: 500 })).results).toHaveLength(500)
    },
  )
})

/** Results of an address each, some of which are erased. */
async function fill(store: MemoryResultStore, count: number, more: Partial<ResultUpdate>): Promise<void> {
  for (let number = 0; number < count; number++) {
    const address = `2001:db8:aaaa:bbbb:cccc:dddd:${number >> 8}:${number & 255}`
    store.apply([{ ...creating(`result-${number}`, `flow-${number % 7}`), ...more }], address)
    if (number % 3 === 0) await store.delete(`flow-${number % 7}`, [`result-${number}`])
  }
}

describe('the age of results in memory', () => {
  function setup() {
    let now = 1_000_000
    const store = new MemoryResultStore({ maxBytes: roomy, expiry: { ttlMs: 60_000, now: () => now } })
    const advance = (ms: number) => {
      now += ms
    }
    return { store, advance }
  }

  it('is counted from the last change, to the last millisecond', async () => {
    const { store, advance } = setup()
    store.apply([creating('a')])
    advance(50_000)
    await store.appendLogs(reportOf('a'))
    advance(60_000)
    expect(await store.get('flow-1', 'a')).toBeDefined()
    advance(1)
    expect(await store.get('flow-1', 'a')).toBeUndefined()
  })

  it('is not renewed by reading', async () => {
    const { store, advance } = setup()
    store.apply([creating('a')])
    advance(40_000)
    await store.get('flow-1', 'a')
    await store.list('flow-1', { limit: 10 })
    advance(20_001)
    expect(await store.get('flow-1', 'a')).toBeUndefined()
  })

  it('erases a result everywhere', async () => {
    const { store, advance } = setup()
    store.apply([creating('a')])
    advance(30_000)
    store.apply([creating('b')])
    advance(30_001)
    expect(await pagesOf(store, 'flow-1', 10)).toEqual([['b']])
    expect(await store.appendLogs(reportOf('a'))).toBe(false)
    expect(await store.delete('flow-1', ['a'])).toEqual([])
  })

  it('lets one begin anew', async () => {
    const { store, advance } = setup()
    store.apply([{ ...creating('a'), isCompleted: true }])
    advance(60_001)
    store.apply([creating('a')])
    expect(await store.get('flow-1', 'a')).toMatchObject({ isCompleted: false })
  })
})

describe('the age of many results in memory', () => {
  it('is kept for each, whoever changes and leaves in between', async () => {
    let now = 0
    const store = new MemoryResultStore({ maxBytes: roomy, expiry: { ttlMs: 100, now: () => now } })
    const changedAt = new Map<string, number>()
    const erasures = new Map<number, number>()
    for (now = 0; now < 2000; now++) {
      const place = (now * 37) % 61
      // What was erased never comes back: another result takes its place.
      const id = `r${place}-${erasures.get(place) ?? 0}`
      if (now % 11 === 0) {
        await store.delete('flow-1', [id])
        changedAt.delete(id)
        erasures.set(place, (erasures.get(place) ?? 0) + 1)
      } else if (now % 500 < 300) {
        store.apply([creating(id)])
        changedAt.set(id, now)
      }
      const alive = [...changedAt].filter(([, at]) => at >= now - 100).map(([key]) => key)
      expect((await pagesOf(store, 'flow-1', 100)).flat().sort()).toEqual(alive.sort())
    }
  })
})
