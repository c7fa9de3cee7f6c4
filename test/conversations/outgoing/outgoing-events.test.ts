import { expect, it } from 'vitest'
import type { EventType } from '../../../schemas/outgoing-webhooks.ts'
import { changeSession, sayAsPerson } from '../../../src/conversations/take-over/act-on-session.ts'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../../src/stores/memory/memory-contact-store.ts'
import { MemoryTable } from '../../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../../src/stores/memory/results/memory-result-store.ts'
import { openCaseWorld } from '../../support/case-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedPorts } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { openMemoryOutbox } from '../../support/memory-outbox.ts'
import { beginPreview, beginPublished, createTestChat } from '../../support/start.ts'

const enough = 64 * 1024 * 1024
const weekMs = 7 * 24 * 60 * 60_000

const flow = wholeDefinition({
  variables: ['Name'],
  groups: {
    a: [
      { id: 'b', text: 'Hello' },
      { id: 'i', type: 'text input', options: { variableId: 'vName' } },
    ],
  },
})

/** A chat over which destinations are told, `full` of what was said as well; what they were. */
async function tell({ types, definition = flow }: { types?: readonly EventType[]; definition?: Json } = {}) {
  const ports = fixedPorts()
  const outbox = openMemoryOutbox(ports.now, { maxEvents: 100, deliveredMs: weekMs, setAsideMs: weekMs })
  const results = new MemoryResultStore({ maxBytes: enough })
  const contacts = new MemoryContactStore({ maxBytes: enough, now: ports.now })
  const table = new MemoryTable({
    sessions: { ttlMs: weekMs, maxSessions: 10, maxBytes: enough, previewMaxBytes: enough },
    answers: { maxBytes: enough, ttlMs: 60_000 },
    results,
    contacts,
    outbox,
    now: ports.now,
  })
  const { appendLogs } = results
  const conversations = new Conversations({ table, appendLogs, maxQueuedTurns: 4, now: ports.now })
  const subscribers = {
    isEmpty: false,
    wanting: (type: EventType) =>
      (types?.includes(type) ?? true)
        ? [
            { destination: 'webhook:ids', includesContent: false },
            { destination: 'webhook:full', includesContent: true },
          ]
        : [],
  }
  const chat = createTestChat([definition], { ports, conversations, contacts, results, subscribers })
  async function told(name: 'ids' | 'full') {
    const bodies: Json[] = []
    for (;;) {
      const [event] = await outbox.claim([{ destination: `webhook:${name}`, limit: 1 }], 1000)
      if (!event) return bodies
      bodies.push(JSON.parse(event.body))
      await outbox.settle(event, { state: 'delivered' })
    }
  }
  const typesOf = async () => (await told('ids')).map(({ type }) => type)
  return { chat, definition, told, typesOf }
}

it('tell of a start and its result, with what was said for those who want it', async () => {
  const { chat, definition, told } = await tell()
  await beginPublished({ definition, chat })
  const facts = { sessionId: 'session-1', flow: 'flow-1', flowId: 'flow-1', resultId: 'result-1' }
  const at = (type: EventType, data: Json = {}) => ({
    ...{ type, timestamp: '2026-11-21T09:17:01.712Z' },
    data: { ...facts, ...data },
  })
  expect(await told('ids')).toEqual([
    at('conversation.started'),
    at('turn.completed', { entry: 'start' }),
    at('result.changed', { isCompleted: false }),
  ])
  const [, turn, result] = await told('full')
  expect(turn).toMatchObject({ data: { entry: 'start', messages: [{ id: 'b' }], input: { id: 'i' } } })
  expect(result).toMatchObject({ data: { answers: [], variables: [] } })
})

it('tell of a reply and the end', async () => {
  const { chat, definition, told } = await tell()
  const { continue: say } = await beginPublished({ definition, chat })
  await told('full')
  await say({ message: 'Ann' })
  const events = await told('full')
  expect(events.map(({ type }) => type)).toEqual([
    'turn.completed',
    'result.changed',
    'result.completed',
    'conversation.ended',
  ])
  expect(events[0]).toMatchObject({ data: { entry: 'continue', reply: 'Ann', messages: [] } })
  expect(events[2]).toMatchObject({
    data: {
      isCompleted: true,
      answers: [{ content: 'Ann' }],
      variables: [{ name: 'Name', value: 'Ann' }],
    },
  })
})

it('tell what was said in any language as it was', async () => {
  const greeting = { id: 'b', text: 'Grüße aus Zürich 🙂 "本"' }
  const { chat, definition, told } = await tell({
    definition: wholeDefinition({
      blocks: [{ id: 'i', type: 'text input' }, greeting, { id: 'j', type: 'text input' }],
    }),
  })
  const { response, continue: say } = await beginPublished({ definition, chat })
  const [, start] = await told('full')
  expect(start).toMatchObject({ data: { messages: response['messages'], input: response['input'] } })
  const answer = await say({ message: '¿Qué? "🙂"' })
  const [turn] = await told('full')
  const { messages, input } = answer
  expect(JSON.stringify(messages)).toContain('Grüße aus Zürich 🙂')
  expect(turn).toMatchObject({ data: { reply: '¿Qué? "🙂"', messages, input } })
})

it('tell which messages a model has written, as the answer does', async () => {
  const question = { action: 'Create chat completion', credentialsId: 'c1', model: 'tiny-1' }
  const messages = [{ role: 'user', content: 'Hi' }]
  const responseMapping = [{ item: 'Message content', variableId: 'vReply' }]
  const { chat, definition, told } = await tell({
    definition: wholeDefinition({
      variables: ['Reply'],
      blocks: [
        { id: 'm', type: 'openai', options: { ...question, messages, responseMapping } },
        { id: 'b', text: '{{Reply}}' },
        { id: 'c', text: 'Bye' },
      ],
      settings: { general: { aiDisclosure: true } },
    }),
  })
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
  const world = await openCaseWorld(
    {
      description: 'A model answers.',
      definition: {},
      response: {},
      accounts: [{ id: 'c1', type: 'openai', data: { apiKey: 'k' } }],
      calls: [{ sends: { method: 'POST', url: '{{any}}' }, answer: { json: { choices } } }],
    },
    'public',
  )
  const { response } = await beginPublished({ definition, chat: { ...chat, ...world.chat } })
  expect(response['messages']).toMatchObject([{ id: 'b', generatedBy: 'model' }, { id: 'c' }])
  const [, turn] = await told('full')
  expect(turn).toMatchObject({ type: 'turn.completed', data: { messages: response['messages'] } })
})

it('tell of turns by timers, and that a conversation has expired', async () => {
  const timed = wholeDefinition({
    events: [
      { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
      { id: 'idle', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT1M' } },
    ],
    groups: { a: [{ id: 'i', type: 'text input' }], r: [{ id: 'r', text: 'Still there?' }] },
    edges: { eR: 'r' },
    settings: { general: { sessionTtl: 'PT1H' } },
  })
  const { chat, definition, told, typesOf } = await tell({ definition: timed })
  const { after } = await beginPublished({ definition, chat })
  await told('full')
  await typesOf()
  await after('PT1M')
  expect(await told('full')).toMatchObject([
    { type: 'turn.completed', data: { entry: 'timer', messages: [{ id: 'r' }] } },
    { type: 'result.changed' },
  ])
  await typesOf()
  await after('PT2H')
  expect((await typesOf()).at(-1)).toBe('conversation.expired')
})

it('tell that a person takes over, with what was said so far, and gives it back', async () => {
  const { chat, definition, told, typesOf } = await tell()
  await beginPublished({ definition, chat })
  const operator = { sessionId: 'session-1', caller: { kind: 'admin', name: 'ann' } as const }
  await told('full')
  await typesOf()
  for (const _ of [1, 2])
    await changeSession({ ...operator, body: { status: 'paused', who: 'Ann', reason: 'angry' } }, chat)
  const paused = (await told('full')).filter(({ type }) => type === 'conversation.paused')
  expect(paused).toMatchObject([
    {
      data: {
        paused: { who: 'Ann', reason: 'angry', since: expect.any(String) },
        transcript: [{ role: 'assistant', text: 'Hello' }],
      },
    },
  ])
  const [short] = (await told('ids')).filter(({ type }) => type === 'conversation.paused')
  expect(short).toMatchObject({ data: { paused: { who: 'Ann' } } })
  expect(JSON.stringify(short)).not.toContain('angry')
  await sayAsPerson({ ...operator, body: { text: 'Hi, Ann here' } }, chat)
  expect((await told('full'))[0]).toMatchObject({ type: 'turn.completed', data: { entry: 'operator' } })
  await typesOf()
  await changeSession({ ...operator, body: { status: 'open' } }, chat)
  expect(await typesOf()).toContain('conversation.opened')
  await changeSession({ ...operator, body: { status: 'closed' } }, chat)
  expect(await typesOf()).toContain('conversation.ended')
})

it('are those that somebody wants, and none are of previews', async () => {
  const { chat, definition, typesOf } = await tell({ types: ['conversation.ended'] })
  const { continue: say } = await beginPublished({ definition, chat })
  expect(await typesOf()).toEqual([])
  await say({ message: 'Ann' })
  expect(await typesOf()).toEqual(['conversation.ended'])
  const preview = await beginPreview({ definition, chat })
  await preview.continue({ message: 'Ann' })
  expect(await typesOf()).toEqual([])
})

it('leave out what was said where it is too much', async () => {
  const long = wholeDefinition({
    groups: { a: [...Array(10).keys()].map((nth) => ({ id: `b${nth}`, text: 'x'.repeat(40_000) })) },
  })
  const { chat, definition, told } = await tell({ types: ['turn.completed'], definition: long })
  await beginPublished({ definition, chat })
  const [event] = await told('full')
  expect(event).toMatchObject({ data: { entry: 'start', isCut: true } })
  expect(event?.['data']).not.toHaveProperty('messages')
})
