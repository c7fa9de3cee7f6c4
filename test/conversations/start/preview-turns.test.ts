import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bubble, flowLink, textInput } from '../../fixtures/short-flows.ts'
import { startDraft } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { trusted } from '../../support/preview-request.ts'
import { createTestChat, sessionOf } from '../../support/start.ts'

const slow = wholeDefinition({ id: 'slow', blocks: [flowLink('b1', 'gated'), textInput('b2')] })
const quick = wholeDefinition({ id: 'quick', blocks: [bubble('b1'), textInput('b2')] })

/** A chat in which a link waits until its gate opens. */
function createGatedChat() {
  const working = createTestChat()
  const waiting: (() => void)[] = []
  const byFlowId = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)))
  const chat = createTestChat([], {
    published: { ...working.published, byFlowId },
  })
  const finished: string[] = []
  const start = async (name: string, body: object) => {
    try {
      return await startDraft(chat, { ...body }, { caller: trusted })
    } finally {
      finished.push(name)
    }
  }
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate()
  }
  const openGate = () => {
    for (const open of waiting.splice(0)) open()
  }
  return { chat, start, finished, settle, openGate }
}

describe('starts of one preview session', () => {
  it('run one after the other, and the last one wins', async () => {
    const { chat, start, finished, settle, openGate } = createGatedChat()
    const first = start('first', { flow: slow, sessionId: 'mine' })
    const second = start('second', { flow: quick, sessionId: 'mine' })
    await settle()
    expect(finished).toEqual([])
    expect(await sessionOf(chat, 'mine')).toBeUndefined()
    openGate()
    await Promise.all([first, second])
    expect(finished).toEqual(['first', 'second'])
    expect(await sessionOf(chat, 'mine')).toMatchObject({ queue: [{ flowId: 'quick' }] })
  })

  it('do not hold up others', async () => {
    const { start, finished, settle, openGate } = createGatedChat()
    const first = start('first', { flow: slow, sessionId: 'mine' })
    await settle()
    await start('of another id', { flow: quick, sessionId: 'yours' })
    await start('without an id', { flow: quick })
    expect(finished).toEqual(['of another id', 'without an id'])
    openGate()
    await first
  })

  it('are refused at once when their definition is wrong, whoever is before them', async () => {
    const { start, finished, openGate } = createGatedChat()
    const first = start('first', { flow: slow, sessionId: 'mine' })
    await expect(start('second', { flow: {}, sessionId: 'mine' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(finished).toEqual(['second'])
    openGate()
    await first
  })

  it('may wait sixteen at a time', async () => {
    const { start, settle, openGate } = createGatedChat()
    const first = start('first', { flow: slow, sessionId: 'mine' })
    const sixteen = Array.from({ length: 16 }, (_, index) =>
      start(`waiting ${index}`, { flow: quick, sessionId: 'mine' }),
    )
    await settle()
    await expect(start('one too many', { flow: quick, sessionId: 'mine' })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    openGate()
    await Promise.all([first, ...sixteen])
    expect(await start('afterwards', { flow: quick, sessionId: 'mine' })).toMatchObject({ sessionId: 'mine' })
  })
})
