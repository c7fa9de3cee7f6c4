import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { ExecuteWebhookRequest } from '../../../src/conversations/continue/execute-webhook.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { bubble, flowLink, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat, holdSession } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

/** Listens for a call that tells a status. */
function listener(id: string, more: Json = {}): Json {
  const responseVariableMapping = [{ id: 'm1', variableId: 'vStatus', bodyPath: 'data.status' }]
  return { id, type: 'webhook', options: { responseVariableMapping }, ...more }
}

const variables = [variable('Status', { value: 'open' })]
const listening = wholeDefinition({
  blocks: [listener('w1'), bubble('b1', 'It is {{Status}}'), textInput('i1')],
  variables,
})

/** A live session on flows, with what can be done to it. */
async function begin(definitions: readonly Json[] = [listening], options: Partial<ChatDependencies> = {}) {
  const world = createTestChat(definitions, options)
  const response = await startLive(world)
  const { chat, conversations } = world
  return {
    world,
    response,
    call: (payload: object, more: Partial<ExecuteWebhookRequest> = {}) =>
      chat.executeWebhook({
        flowId: 'flow-1',
        blockId: 'w1',
        resultId: 'result-1',
        payload,
        ...more,
      }),
    async say(message?: unknown): Promise<Json> {
      const body = { message, textBubbleContentFormat: 'markdown' } as ContinueChatBody
      if (message === undefined) delete body.message
      return parseWire(
        await chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body }),
      )
    },
    stored: () => conversations.look('session-1'),
  }
}

const shown = (text: string) => ({ messages: [{ content: { type: 'markdown', markdown: text } }] })
const paid = { status: 'paid' }

describe('a call to a webhook listener', () => {
  it('is what the next empty continue hands to the block', async () => {
    const { call, say, stored } = await begin()
    await call(paid)
    expect(await say()).toMatchObject({ ...shown('It is paid'), input: { id: 'i1' } })
    expect((await stored())?.payload).toBeUndefined()
  })

  it('counts for a continue that says null', async () => {
    const { call, say } = await begin()
    await call(paid)
    expect(await say(null)).toMatchObject(shown('It is paid'))
  })

  it('runs nothing, and leaves session and result as they were', async () => {
    const { call, stored, world } = await begin()
    const [session, result] = [await stored(), await world.results.get('flow-1', 'result-1')]
    await call(paid)
    expect(await stored()).toEqual({ ...session, payload: { number: 1, text: '{"status":"paid"}' } })
    expect(await world.results.get('flow-1', 'result-1')).toEqual(result)
  })

  it('takes the place of one that was not fetched yet', async () => {
    const { call, say } = await begin()
    await call({ status: 'pending' })
    await call(paid)
    expect(await say()).toMatchObject(shown('It is paid'))
  })

  it('gives way to what the client says itself', async () => {
    const { call, say, stored } = await begin()
    await call(paid)
    expect(await say('{"data":{"status":"sent back"}}')).toMatchObject(shown('It is sent back'))
    expect((await stored())?.payload).toBeUndefined()
  })

  it('is no answer to what comes behind the listener', async () => {
    const { call, say } = await begin()
    await call(paid)
    await say()
    expect(await say()).toMatchObject({ input: { id: 'i1' } })
  })

  it('is not there for a continue that came before it', async () => {
    const { call, say } = await begin()
    expect(await say()).toMatchObject(shown('It is open'))
    await expect(call(paid)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('counts once where the flow listens again', async () => {
    const again = { id: 'j1', type: 'Jump', options: { groupId: 'g1' } }
    const { call, say } = await begin([
      wholeDefinition({ blocks: [listener('w1'), bubble('b1', '{{Status}}'), again], variables }),
    ])
    await call(paid)
    expect(await say()).toMatchObject(shown('paid'))
    expect(await say()).toMatchObject(shown('paid'))
    await call({})
    expect(await say()).toMatchObject({ messages: [{ content: { markdown: '' } }] })
  })

  it.each([
    ['an object in an object', { status: { at: 'noon' } }, '{"at":"noon"}'],
    [
      'text that looks like a placeholder',
      { status: '{{Status}} {{= 1 + 1 =}}' },
      '{{Status}} {{= 1 + 1 =}}',
    ],
    ['quotes and line separators', { status: '"\u2028\\' }, '"\u2028\\'],
  ])('is data: %s', async (_name, payload, text) => {
    const { call, say } = await begin()
    await call(payload)
    expect(await say()).toMatchObject(shown(`It is ${text}`))
  })

  it('is heard from a client that speaks after a command that came back', async () => {
    const events = [
      { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
      {
        id: 'help',
        type: 'command',
        outgoingEdgeId: 'e-help',
        options: { command: 'help', resumeAfter: true },
      },
    ]
    const groups = [
      { id: 'g1', title: 'Here', blocks: [listener('w1'), bubble('b1', 'It is {{Status}}')] },
      { id: 'g2', title: 'Help', blocks: [bubble('b2', 'Wait for it')] },
    ]
    const edges = [{ id: 'e-help', to: { groupId: 'g2' } }]
    const { call, say, stored } = await begin([wholeDefinition({ groups, edges, events, variables })])
    await call(paid)
    expect(await say({ type: 'command', command: 'help' })).toMatchObject(shown('Wait for it'))
    expect((await stored())?.payload?.text).toBe('{"status":"paid"}')
    expect(await say()).toMatchObject(shown('It is paid'))
  })

  it('is kept through an update of the flow', async () => {
    const { call, say, world } = await begin()
    await call(paid)
    await world.chat.updateFlow({ sessionId: 'session-1' })
    expect(await say()).toMatchObject(shown('It is paid'))
  })

  it('is kept when a continue is refused', async () => {
    const { call, say, stored } = await begin()
    await call(paid)
    await expect(say({ type: 'command', command: 'unknown' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect((await stored())?.payload?.text).toBe('{"status":"paid"}')
  })

  it('waits for no turn that is under way', async () => {
    const { call, stored, world } = await begin()
    const release = await holdSession(world, 'session-1')
    await call(paid)
    await release()
    expect((await stored())?.payload).toBeDefined()
  })

  it('is handed over again when the session moves on meanwhile', async () => {
    const { call, stored, world } = await begin()
    const { conversations } = world
    const { look } = conversations
    let looks = 0
    Object.assign(conversations, {
      async look(id: string) {
        const found = await look(id)
        looks += 1
        if (looks > 1) return found
        const entered = await conversations.enter({ id })
        if (entered.state === 'entered')
          await conversations.commit(entered.lease, { session: entered.conversation.session, results: [] })
        return found
      },
    })
    await call(paid)
    expect(await stored()).toMatchObject({ revision: 2, payload: { text: '{"status":"paid"}' } })
  })

  it('is given up for a session that moves on all the time', async () => {
    const { call, world } = await begin()
    Object.assign(world.conversations, { receiveWebhook: () => false })
    await expect(call(paid)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'The session changed 20 times while the payload was handed over: send it again',
    })
  })
})

describe('the flow that a webhook names', () => {
  it('may be named by its public id', async () => {
    const world = createTestChat([{ ...listening, publicId: 'shop' }])
    await startLive(world, {}, { publicId: 'shop' })
    const request = { blockId: 'w1', resultId: 'result-1', payload: paid }
    await world.chat.executeWebhook({ ...request, flowId: 'shop' })
    expect((await world.conversations.look('session-1'))?.payload).toBeDefined()
  })

  it('may be published no more', async () => {
    const { world, stored } = await begin()
    const { conversations, results, definitions, programs } = world
    await definitions.put(programs.prepare(listening).program.hash, JSON.stringify(listening))
    const later = createTestChat([], { conversations, results, definitions, programs })
    const request = { flowId: 'flow-1', blockId: 'w1', resultId: 'result-1', payload: paid }
    await later.chat.executeWebhook(request)
    expect(await stored()).toHaveProperty('payload')
  })

  const linked = { ...listening, id: 'linked' }
  const parent = (options: Json) =>
    wholeDefinition({ blocks: [flowLink('l1', 'linked', options)], variables })

  it('is the one that was started, when a linked flow shares its result', async () => {
    const { call, say } = await begin([parent({ mergeResults: true }), linked])
    await call(paid)
    expect(await say()).toMatchObject(shown('It is paid'))
  })

  it('is the linked one, when that has a result of its own', async () => {
    const { call, say } = await begin([parent({ mergeResults: false }), linked])
    await expect(call(paid)).rejects.toMatchObject({ code: 'CONFLICT' })
    await call(paid, { flowId: 'linked', resultId: 'id-1' })
    expect(await say()).toMatchObject(shown('It is paid'))
  })
})

describe('a call that is refused', () => {
  it.each<[string, Partial<ExecuteWebhookRequest>, string, string]>([
    ['an unknown result', { resultId: 'other' }, 'NOT_FOUND', 'Result not found.'],
    ['an unknown flow', { flowId: 'other' }, 'NOT_FOUND', 'Result not found.'],
    ['another block', { blockId: 'i1' }, 'CONFLICT', 'The session does not wait at this webhook block'],
    ['an unknown block', { blockId: 'other' }, 'CONFLICT', 'The session does not wait at this webhook block'],
  ])('is told so: %s', async (_name, more, code, message) => {
    const { call, stored } = await begin([listening])
    const session = await stored()
    await expect(call(paid, more)).rejects.toMatchObject({ code, message })
    expect(await stored()).toEqual(session)
  })

  it('is one for a session that waits at another block of this id', async () => {
    const { call } = await begin([wholeDefinition({ blocks: [textInput('w1')] })])
    await expect(call(paid)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is one for a session that has ended, or has gone', async () => {
    const { call, world } = await begin([wholeDefinition({ blocks: [bubble('b1')] })])
    const gone = { code: 'NOT_FOUND', message: 'Session not found.' }
    await expect(call(paid)).rejects.toMatchObject(gone)
    await world.conversations.erase('session-1')
    await expect(call(paid)).rejects.toMatchObject(gone)
  })

  it('never reaches a preview that took the id of a session', async () => {
    const { call, world } = await begin()
    await world.conversations.erase('session-1')
    await startDraft(world, { flow: listening, sessionId: 'session-1' })
    await expect(call(paid)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Session not found.' })
    expect(await world.conversations.look('session-1')).toMatchObject({
      session: { kind: 'preview' },
      payload: undefined,
    })
  })

  it('is one of more than 256 KiB', async () => {
    const { call, say, stored } = await begin()
    const most = 256 * 1024 - '{"status":""}'.length
    await expect(call({ status: 'x'.repeat(most + 1) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    await expect(call({ status: 'é'.repeat(most / 2 + 1) })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
    expect((await stored())?.payload).toBeUndefined()
    await call({ status: 'x'.repeat(most) })
    expect(await say()).toMatchObject({ input: { id: 'i1' } })
  })

  it('is one that is too deep to be read by the block', async () => {
    const { call, say } = await begin()
    const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    await expect(call(nested(128))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(call(nested(5000))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await call({ ...nested(127), ...paid })
    expect(await say()).toMatchObject(shown('It is paid'))
  })
})
