import { describe, expect, it } from 'vitest'
import { type ConversationStore, droppedAnswer } from '../../../src/stores/conversation-store.ts'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../../src/stores/memory/memory-contact-store.ts'
import { MemoryCountStore } from '../../../src/stores/memory/memory-count-store.ts'
import { createMemoryDefinitionStore } from '../../../src/stores/memory/memory-definition-store.ts'
import { createMemoryEndpointTable } from '../../../src/stores/memory/memory-endpoint-table.ts'
import { MemoryFlowTable } from '../../../src/stores/memory/memory-flow-table.ts'
import { MemoryTable } from '../../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../../src/stores/memory/results/memory-result-store.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { openMemoryInbox, openMemoryOutbox } from '../../support/memory-outbox.ts'
import { describeContactStore } from '../contracts/contact-store.ts'
import {
  answering,
  describeConversationStore,
  enter,
  liveSession,
  smallSession,
  wholeSession,
} from '../contracts/conversation-store.ts'
import { describeCountStore } from '../contracts/count-store.ts'
import { describeInboxStore } from '../contracts/inbox-store.ts'
import { describeOutboxStore } from '../contracts/outbox-store.ts'
import { usedHeap } from '../used-heap.ts'

const megabyte = 1024 * 1024
const bounds = { ttlMs: 60_000, maxSessions: 1000, maxBytes: megabyte, previewMaxBytes: megabyte }
const answerMs = 50_000
const waitMs = 40_000

function backEnd(changed: Partial<typeof bounds> = {}, answerBytes = megabyte, resultBytes = megabyte) {
  let now = fixedNow
  const results = new MemoryResultStore({ maxBytes: resultBytes })
  const outbox = openMemoryOutbox(() => now)
  const inbox = openMemoryInbox(() => now)
  const contacts = new MemoryContactStore({ maxBytes: megabyte, queues: [outbox, inbox], now: () => now })
  const counts = new MemoryCountStore({ maxBytes: megabyte, now: () => now })
  const table = new MemoryTable({
    sessions: { ...bounds, ...changed },
    answers: { maxBytes: answerBytes, ttlMs: answerMs },
    results,
    outbox,
    contacts,
    counts,
    now: () => now,
  })
  const advance = (ms: number) => {
    now += ms
  }
  const open = () =>
    new Conversations({
      table,
      appendLogs: results.appendLogs,
      counts,
      maxQueuedTurns: 16,
      maxWaitMs: waitMs,
      elapsed: () => now,
    })
  return { open, store: open(), results, contacts, counts, outbox, inbox, advance, now: () => now }
}

describeConversationStore('conversations in memory', () => {
  const { open, results, advance } = backEnd()
  const kill = (store: ConversationStore) => store.close()
  return { open, kill, results, advance, ...bounds, answerMs, leaseMs: 1000, waitMs }
})

function queues() {
  const { now, ...stores } = backEnd()
  const { outbox } = stores
  const memory = createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte })
  const flows = new MemoryFlowTable({ definitions: memory, maxBytes: megabyte, outbox, now })
  const ofEndpoints = { note: flows.note, ...stores }
  const endpoints = createMemoryEndpointTable('webhook', ofEndpoints)
  const channels = createMemoryEndpointTable('channel', ofEndpoints)
  return { ...stores, endpoints, channels, flows, sweep: async () => undefined }
}

describeOutboxStore('the outbox in memory', queues)
describeInboxStore('the inbox in memory', queues)
describeContactStore('contacts in memory', () => backEnd())
describeCountStore('counts in memory', () => ({ ...backEnd(), now: fixedNow, sweep: async () => undefined }))

describe('conversations in memory', () => {
  it('lets a session live to the last millisecond of its time, and no longer', async () => {
    const { store, advance } = backEnd()
    await store.start({ session: liveSession('s1'), results: [] })
    advance(bounds.ttlMs)
    expect(await store.look('s1')).toBeDefined()
    advance(bounds.ttlMs + 1)
    expect(await store.look('s1')).toBeUndefined()
  })

  it.each([
    ['live sessions', 'live', 'preview'],
    ['previews', 'preview', 'live'],
  ] as const)('keeps %s, however many others come', async (_, kept, coming) => {
    const { store } = backEnd({ maxSessions: 2 })
    await store.start({ session: liveSession('kept', { kind: kept }), results: [] })
    for (let nth = 0; nth < 10; nth++)
      await store.start({ session: liveSession(`s${nth}`, { kind: coming }), results: [] })
    expect(await store.look('kept')).toBeDefined()
    expect(await store.look('s0')).toBeUndefined()
    expect((await store.usage())[coming === 'live' ? 'live' : 'previews']).toMatchObject({
      entries: 2,
      evicted: 8,
    })
  })

  it('forgets the least recently used session when they take too many bytes', async () => {
    const { store } = backEnd({ maxBytes: 4000 })
    const large = (id: string) => liveSession(id, { transcript: ['x'.repeat(1500)] })
    await store.start({ session: large('a'), results: [] })
    await store.start({ session: large('b'), results: [] })
    await store.look('a')
    await store.start({ session: large('c'), results: [] })
    expect(await store.look('a')).toBeDefined()
    expect(await store.look('b')).toBeUndefined()
  })

  it('counts two bytes a character where a text goes beyond Latin-1', async () => {
    const { store } = backEnd({ maxBytes: 3000 })
    const holding = (character: string) => liveSession('s1', { transcript: [character.repeat(1500)] })
    await store.start({ session: holding('é'), results: [] })
    await expect(store.start({ session: holding('Ω'), results: [] })).rejects.toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    )
  })

  const tooLarge = expect.objectContaining({ name: 'ServiceError', code: 'PAYLOAD_TOO_LARGE' })
  const long = 'x'.repeat(5000)

  it.each([
    ['the session', { session: liveSession('s1', { transcript: [long] }), results: [answering('r1', 'b')] }],
    ['a result', { session: liveSession('s1', { answered: 1 }), results: [answering('r1', long)] }],
    [
      'one result of several',
      {
        session: liveSession('s1', { answered: 1 }),
        results: [answering('r1', 'b'), answering('r2', long)],
      },
    ],
  ])('keeps nothing of a commit when %s is larger than the whole bound', async (_, turn) => {
    const { store, results } = backEnd({ maxBytes: 4000 }, megabyte, 4000)
    await store.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
    const before = await results.get('flow-1', 'r1')
    const idempotency = { key: 'k', fingerprint: 'f' }
    const { lease } = await enter(store, 's1', idempotency)
    await expect(store.commit(lease, { ...turn, answer: 'x' })).rejects.toThrow(tooLarge)
    expect(await store.isHeld(lease)).toBe(true)
    await store.release(lease)
    expect(await store.look('s1')).toEqual({ session: liveSession('s1'), revision: 1 })
    expect(await results.get('flow-1', 'r1')).toEqual(before)
    expect(await results.get('flow-1', 'r2')).toBeUndefined()
    await enter(store, 's1', idempotency)
  })

  it('keeps nothing of a start whose result is larger than the whole bound', async () => {
    const { store } = backEnd({}, megabyte, 4000)
    await expect(
      store.start({ session: liveSession('s1'), results: [answering('r1', long)] }),
    ).rejects.toThrow(tooLarge)
    expect(await store.look('s1')).toBeUndefined()
  })

  it('knows of an answer that was too large to be kept, or made room for others, that there was one', async () => {
    const { store } = backEnd({}, 3000)
    await store.start({ session: liveSession('s1'), results: [] })
    const answer = async (key: string, length: number) => {
      const { lease, conversation } = await enter(store, 's1', { key, fingerprint: 'f' })
      await store.commit(lease, { ...conversation, results: [], answer: 'x'.repeat(length) })
    }
    await answer('large', 5000)
    for (const key of ['a', 'b', 'c']) await answer(key, 800)
    const again = (key: string) => store.enter({ id: 's1', idempotency: { key, fingerprint: 'f' } })
    expect(await again('large')).toEqual({ state: 'answered', answer: droppedAnswer })
    expect(await again('a')).toEqual({ state: 'answered', answer: droppedAnswer })
    expect(await again('c')).toEqual({ state: 'answered', answer: 'x'.repeat(800) })
    expect((await store.usage()).answers).toMatchObject({ entries: 2, evicted: 1 })
  })

  it('remembers nothing of a session after its last turn', async () => {
    const { store } = backEnd()
    await store.start({ session: liveSession('s1'), results: [] })
    const turns = async (number: number) => {
      for (let nth = 0; nth < number; nth++) {
        const { lease } = await enter(store, 's1', { key: `k${nth}`, fingerprint: 'f' })
        const waiting = store.enter({ id: 's1' })
        await store.release(lease)
        const entered = await waiting
        if (entered.state === 'entered') await store.release(entered.lease)
        const end = await store.subscribe(`s${nth}`, () => {})
        end()
      }
    }
    await turns(100)
    const before = usedHeap()
    await turns(20_000)
    expect(usedHeap() - before).toBeLessThan(1_000_000)
  })

  it.each([
    ['small sessions', smallSession],
    ['sessions with variables', wholeSession],
  ])('takes about as many bytes for %s as it may', async (_, session) => {
    const maxBytes = 16 * megabyte
    const before = usedHeap()
    const { store } = backEnd({ maxBytes, previewMaxBytes: maxBytes, maxSessions: 1_000_000 })
    for (let number = 0; number < 100_000; number++) {
      await store.start({ session: { ...session, id: `session-with-a-long-id-${number}` }, results: [] })
    }
    const held = usedHeap() - before
    expect(await store.look('session-with-a-long-id-0')).toBeUndefined()
    expect(held / maxBytes).toBeGreaterThan(2 / 3)
    expect(held / maxBytes).toBeLessThan(4 / 3)
  })

  it('takes about as many bytes for answers as it may', async () => {
    const maxBytes = 16 * megabyte
    const before = usedHeap()
    const { store } = backEnd({ maxSessions: 100_000, maxBytes: 100 * megabyte }, maxBytes)
    for (let number = 0; number < 30_000; number++) {
      const idempotency = { key: `key-${number}-${'k'.repeat(40)}`, fingerprint: 'f'.repeat(43) }
      const entered = await store.enterStart({ newId: `session-with-a-long-id-${number}`, idempotency })
      if (entered.state !== 'entered') throw new Error('not entered')
      const { id } = entered.lease
      await store.commit(entered.lease, { session: liveSession(id), results: [], answer: 'x'.repeat(700) })
      await store.erase(`other-${number % 100}`)
    }
    const { answers, live } = await store.usage()
    expect(answers.evicted).toBeGreaterThan(0)
    const held = usedHeap() - before - live.bytes
    expect(held / maxBytes).toBeGreaterThan(2 / 3)
    expect(held / maxBytes).toBeLessThan(4 / 3)
  })
})
