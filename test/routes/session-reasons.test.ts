import { describe, expect, it } from 'vitest'
import { Conversations } from '../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../src/stores/memory/memory-contact-store.ts'
import { MemoryTable } from '../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../src/stores/memory/results/memory-result-store.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { openMemoryOutbox } from '../support/memory-outbox.ts'

const enough = 1024 * 1024
const asking = wholeDefinition({ blocks: [textInput('i1'), bubble('b1')] })

async function serve({ maxSessions = 100 } = {}) {
  const clock = { now: 1_000_000 }
  const sessions = { ttlMs: 1000, maxSessions, maxBytes: enough, previewMaxBytes: enough }
  const answers = { maxBytes: enough, ttlMs: 1000 }
  const results = new MemoryResultStore({ maxBytes: enough })
  const outbox = openMemoryOutbox()
  const now = () => clock.now
  const contacts = new MemoryContactStore({ maxBytes: enough, now })
  const table = new MemoryTable({ sessions, answers, results, contacts, outbox, now })
  const conversations = new Conversations({ table, appendLogs: results.appendLogs, maxQueuedTurns: 4 })
  return { clock, ...(await serveChat([asking], { conversations })) }
}

describe('a session that is not found', () => {
  it('has ended', async () => {
    const { start, goOn, look } = await serve()
    await start()
    await goOn('Ada')
    for (const gone of [await goOn('x'), await look()]) {
      expect(gone.json()).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
        message: 'Session not found.',
        reason: 'ended',
      })
    }
  })

  it('has expired, which is remembered as long as it lived', async () => {
    const { clock, start, goOn, look } = await serve()
    await start()
    clock.now += 1500
    for (const gone of [await goOn('x'), await look()])
      expect([gone.statusCode, gone.json().reason]).toEqual([404, 'expired'])
    clock.now += 1500
    expect((await look()).json().reason).toBe('unknown')
  })

  it('has made room for others', async () => {
    const { start, look } = await serve({ maxSessions: 3 })
    for (let starts = 0; starts < 5; starts++) await start()
    expect((await look()).json().reason).toBe('expired')
    expect((await look({}, 'session-5')).statusCode).toBe(200)
  })

  it('is unknown, or was erased', async () => {
    const { chat, start, goOn, look } = await serve()
    await start()
    await chat.conversations.erase('session-1')
    expect((await goOn('x')).json().reason).toBe('unknown')
    expect((await look({}, 'nobody')).json().reason).toBe('unknown')
  })
})
