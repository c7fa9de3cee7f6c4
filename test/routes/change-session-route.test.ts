import { describe, expect, it, onTestFinished } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { fireTimer } from '../../src/conversations/timers/fire-timer.ts'
import { durationMs } from '../../src/engine/values/duration.ts'
import { anonymous, type Rights } from '../../src/ports/caller.ts'
import { checkRecording, compileRecorded } from '../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../src/tooling/replay/replay-recording.ts'
import { createReplays } from '../../src/tooling/replay/replay-request.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { FixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { sessionOf } from '../support/start.ts'

const asking = wholeDefinition({
  variables: ['Name'],
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'idle', type: 'idle', outgoingEdgeId: 'eIdle', options: { after: 'PT10M' } },
  ],
  groups: {
    a: [
      { id: 'b', text: 'Your name?' },
      { id: 'i', type: 'text input', options: { variableId: 'vName' } },
      { id: 'i2', type: 'text input' },
    ],
    idle: [{ id: 'still', text: 'Still there?' }],
    bye: [
      { id: 'z', text: 'Bye {{Name}}' },
      { id: 'iz', type: 'text input' },
    ],
  },
  edges: { eIdle: 'idle' },
})
const handing = (options: Json, then: Json[] = []) =>
  wholeDefinition({
    groups: {
      a: [{ id: 'h', type: 'Handoff', options, items: [{ id: 'no', outgoingEdgeId: 'eNo' }] }, ...then],
      no: [{ id: 'n', text: 'Nobody' }],
    },
    edges: { eNo: 'no' },
  })

const computing = wholeDefinition({
  variables: ['Sum'],
  blocks: [
    {
      id: 's',
      type: 'Set variable',
      options: {
        variableId: 'vSum',
        expressionToEvaluate: '6 * 7',
        isCode: true,
        isExecutedOnClient: true,
      },
    },
    { id: 't', text: 'Got {{Sum}}' },
    { id: 'i', type: 'text input' },
  ],
})

const token = 'the-token-of-the-desk'
const key = (nth: number) => ({ 'idempotency-key': `a-key-that-is-long-enough-${nth}` })

async function serve(flow: Json = asking, rights?: Rights) {
  const tokens = adminTokens(token).map((each) => ({ ...each, ...(rights && { rights }) }))
  const served = await serveChat([flow], { config: { adminTokens: tokens } })
  const { app, chat, look } = served
  const url = '/v1/sessions/session-1'
  const asOperator = (headers: Record<string, string> = {}) => ({
    authorization: `Bearer ${token}`,
    ...headers,
  })
  return {
    ...served,
    change: (payload: object, headers?: Record<string, string>) =>
      app.inject({ method: 'PATCH', url, payload, headers: asOperator(headers) }),
    write: (payload: object, headers?: Record<string, string>) =>
      app.inject({ method: 'POST', url: `${url}/messages`, payload, headers: asOperator(headers) }),
    transcript: (query = '') => app.inject(`${url}/transcript${query}`),
    seen: async () => (await look()).json(),
    async letPass(duration: string) {
      const ports = chat.ports as FixedPorts
      ports.advance(durationMs(duration))
      for (const due of await chat.conversations.due(10)) await fireTimer(due, chat)
    },
  }
}

describe('PATCH /v1/sessions/{sessionId}', () => {
  it('has the flow be silent while a person leads, and tells the visitor who, but not why', async () => {
    const { start, goOn, change, seen, chat } = await serve()
    await start()
    const changed = await change({ status: 'paused', who: 'Ada', reason: 'is angry' })
    const paused = { since: '2026-11-21T09:17:01.712Z', who: 'Ada' }
    expect(changed.json()).toEqual({ status: 'paused', paused: { ...paused, reason: 'is angry' } })
    const input = { id: 'paused', type: 'text input' }
    const answer = await goOn('Hello?')
    expect(answer.json()).toEqual({ messages: [], input, paused, actsAfterSeconds: 5 })
    expect((await goOn({ type: 'command', command: 'none' })).json()).toMatchObject({ messages: [], paused })
    const { flow: _, ...state } = await seen()
    expect(state).toEqual({ state: 'waiting', waitingFor: 'person', input, paused, actsAfterSeconds: 5 })
    expect(chat.audit).toEqual([{ actor: 'admin', action: 'pause', subject: 'flow-1', detail: 'for Ada' }])
  })

  it('goes on where it stood, with the question asked again and nothing answered meanwhile', async () => {
    const { start, goOn, change, seen, chat } = await serve()
    await start()
    await change({ status: 'paused' })
    await goOn('Hello?')
    expect((await change({ status: 'open' })).json()).toEqual({ status: 'open' })
    expect(await seen()).toMatchObject({ waitingFor: 'input', input: { id: 'i' }, messages: [{ id: 'b' }] })
    const again = await change({ status: 'open' })
    expect(again.json()).toEqual({ status: 'open' })
    expect(again.headers['etag']).toBe((await goOn('Ada')).headers['etag']?.toString().replace('5', '4'))
    expect((await sessionOf(chat, 'session-1'))?.queue[0]?.answers).toEqual([['Name', 'Ada']])
    expect(chat.audit.map(({ action, detail }) => [action, detail])).toEqual([
      ['pause', 'one conversation'],
      ['open', 'where it stood'],
    ])
  })

  it('goes on at a group, and stays as it was where there is no such group', async () => {
    const { start, change, seen } = await serve()
    await start()
    await change({ status: 'paused' })
    const refused = await change({ status: 'open', groupId: 'nowhere' })
    expect(refused.json()).toMatchObject({ errors: [{ pointer: '/groupId' }] })
    expect(await seen()).toMatchObject({ waitingFor: 'person' })
    await change({ status: 'open', groupId: 'bye' })
    expect(await seen()).toMatchObject({ messages: [{ id: 'z' }], input: { id: 'iz' } })
  })

  it('opens at its time; until then no event of the flow comes, and then its silence counts anew', async () => {
    const { start, change, seen, letPass } = await serve()
    await start()
    await change({ status: 'paused', until: '2026-11-21T10:17:01.712Z' })
    await letPass('PT30M')
    expect(await seen()).not.toHaveProperty('messages')
    await letPass('PT30M')
    expect(await seen()).toMatchObject({ messages: [{ id: 'b' }], input: { id: 'i' }, actsAfterSeconds: 600 })
    await letPass('PT10M')
    expect((await seen()).messages).toMatchObject([{ id: 'b' }, { id: 'still' }])
  })

  it('lets a wait of the service go on behind it', async () => {
    const sleeping = wholeDefinition({
      blocks: [
        { id: 'w', type: 'Wait', options: { secondsToWaitFor: 600 } },
        { id: 't', text: 'Awake' },
        { id: 'i', type: 'text input' },
      ],
    })
    const { start, change, seen, letPass } = await serve(sleeping)
    await start()
    await change({ status: 'paused' })
    await letPass('PT20M')
    expect(await seen()).toMatchObject({ waitingFor: 'person' })
    await change({ status: 'open' })
    expect(await seen()).toMatchObject({ waitingFor: 'timer' })
    await letPass('PT1S')
    expect(await seen()).toMatchObject({ messages: [{ id: 't' }], input: { id: 'i' } })
  })

  it('keeps for the flow what a client sends back that has not seen the pause, and tells nobody', async () => {
    const { start, goOn, change, seen, chat, transcript } = await serve(computing)
    await start()
    await change({ status: 'paused' })
    const paused = { input: { id: 'paused', type: 'text input' }, paused: {}, messages: [] }
    expect((await goOn('1'.repeat(20_000))).json()).toMatchObject(paused)
    expect((await sessionOf(chat, 'session-1'))?.said ?? []).toEqual([])
    expect((await goOn('Hello?')).json()).toMatchObject(paused)
    expect((await sessionOf(chat, 'session-1'))?.said).toMatchObject([{ reply: { text: 'Hello?' } }])
    await change({ status: 'open' })
    expect(await seen()).toMatchObject({ messages: [{ id: 't' }], input: { id: 'i' } })
    const { lines } = (await transcript()).json()
    expect(lines.map(({ role, text }: Json) => [role, String(text).slice(0, 6)])).toEqual([
      ['user', 'Hello?'],
      ['assistant', 'Got 11'],
    ])
  })

  it('refuses what the block cannot read, and awaits it on', async () => {
    const options = { isExecutedOnClient: true, webhook: { url: 'https://shop.test/' } }
    const asks = wholeDefinition({
      blocks: [
        { id: 'h', type: 'Webhook', options },
        { id: 'i', type: 'text input' },
      ],
    })
    const { start, goOn, change, seen } = await serve(asks)
    await start()
    await change({ status: 'paused' })
    const refused = await goOn('no JSON')
    expect([refused.statusCode, refused.json().errors[0].pointer]).toEqual([400, '/message'])
    await goOn('{"statusCode":200,"data":{}}')
    await change({ status: 'open' })
    expect(await seen()).toMatchObject({ waitingFor: 'input', input: { id: 'i' } })
  })

  it('hears words of who has seen the pause, and still awaits what the client has to send back', async () => {
    const { start, goOn, change, look, seen, chat } = await serve(computing)
    await start()
    await change({ status: 'paused' })
    const version = String((await look()).headers['etag'])
    await goOn('Hello?', { 'if-match': version })
    expect((await sessionOf(chat, 'session-1'))?.said).toMatchObject([{ reply: { text: 'Hello?' } }])
    await goOn('42')
    await change({ status: 'open' })
    expect((await seen()).messages).toMatchObject([
      { content: { richText: [{ children: [{}, { text: '42' }] }] } },
    ])
  })

  it('hears what follows once the client had nothing to send back, which is awaited anew', async () => {
    const { start, goOn, change, seen, chat } = await serve(computing)
    await start()
    await change({ status: 'paused' })
    await goOn(undefined)
    await goOn('Hello?')
    expect((await sessionOf(chat, 'session-1'))?.said).toMatchObject([{ reply: { text: 'Hello?' } }])
    await change({ status: 'open' })
    expect(await seen()).toMatchObject({ waitingFor: 'action', clientSideActions: [{ type: 'setVariable' }] })
  })

  it('ends the conversation without its flow, whose result is not completed by that', async () => {
    const { start, goOn, change, chat } = await serve()
    await start()
    await goOn('Ada')
    expect((await change({ status: 'closed' })).json()).toEqual({ status: 'closed' })
    const gone = await goOn('x')
    expect([gone.statusCode, gone.json().reason]).toEqual([404, 'ended'])
    expect(await chat.results.get('flow-1', 'result-1')).toMatchObject({
      isCompleted: false,
      hasStarted: true,
    })
    expect((await change({ status: 'open' })).statusCode).toBe(404)
  })

  it('is done once for a key, and refused for another version than the present one', async () => {
    const { start, change, goOn, chat } = await serve()
    const { headers } = await start()
    const body = { status: 'paused' }
    const [first, second] = [await change(body, key(1)), await change(body, key(1))]
    expect(second.json()).toEqual(first.json())
    expect([second.headers['idempotent-replayed'], second.headers['etag']]).toEqual([
      'true',
      first.headers['etag'],
    ])
    await goOn('Hello?')
    const stale = await change({ status: 'open' }, { 'if-match': String(headers['etag']) })
    expect([stale.statusCode, stale.json().input]).toEqual([412, { id: 'paused', type: 'text input' }])
    expect((await change({ status: 'open' }, key(1))).statusCode).toBe(422)
    expect(chat.audit).toHaveLength(1)
  })

  it.each([
    ['a time that is over', { status: 'paused', until: '2026-11-21T09:00:00Z' }, '/until'],
    ['a time beyond a year', { status: 'paused', until: '2028-01-01T00:00:00Z' }, '/until'],
    ['what is no time', { status: 'paused', until: 'soon' }, '/until'],
    ['a group for a pause', { status: 'paused', groupId: 'a' }, '/groupId'],
    ['an unknown group, though it is open', { status: 'open', groupId: 'nowhere' }, '/groupId'],
    ['a time for an end', { status: 'closed', until: '2026-11-22T09:00:00Z' }, '/until'],
    ['another status', { status: 'away' }, '/status'],
    ['an unknown field', { status: 'open', group: 'a' }, '/group'],
  ])('refuses %s, with its place', async (_name, body, pointer) => {
    const { start, change } = await serve()
    await start()
    const refused = await change(body)
    expect([refused.statusCode, refused.json().errors[0].pointer]).toEqual([400, pointer])
  })

  it('is for operators, but for previews', async () => {
    const { start, preview, app } = await serve()
    await start()
    await preview({ flow: asking, sessionId: 'trial' })
    const statusOf = async (id: string, headers = {}) =>
      (
        await app.inject({
          method: 'PATCH',
          url: `/v1/sessions/${id}`,
          payload: { status: 'paused' },
          headers,
        })
      ).statusCode
    expect(await statusOf('session-1')).toBe(401)
    expect(await statusOf('session-1', { authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusOf('trial')).toBe(200)
    expect(await statusOf('unknown')).toBe(404)
  })

  it('takes the token of one flow for the conversations of that flow alone', async () => {
    const scopes = ['results'] as const
    const own = await serve(asking, { scopes, flow: 'flow-1' })
    await own.start()
    expect((await own.change({ status: 'paused' })).json()).toMatchObject({ status: 'paused' })
    expect((await own.write({ text: 'Hello' })).statusCode).toBe(200)
    const other = await serve(asking, { scopes, flow: 'flow-2' })
    await other.start()
    expect((await other.change({ status: 'paused' })).statusCode).toBe(401)
    expect((await other.write({ text: 'Hello' })).statusCode).toBe(401)
    expect(other.chat.audit).toEqual([])
  })

  it('waits for the start of a session that is only registered', async () => {
    const { start, change } = await serve()
    await start({ isOnlyRegistering: true })
    expect((await change({ status: 'paused' })).statusCode).toBe(409)
  })
})

describe('POST /v1/sessions/{sessionId}/messages', () => {
  it('shows what a person writes, with the name, until the visitor does something', async () => {
    const { start, goOn, change, write, seen, chat } = await serve()
    await start()
    await change({ status: 'paused' })
    const sent = await write({ text: 'Hi,\nhow can I help?', name: 'Ada' })
    const paragraphs = ['Hi,', 'how can I help?'].map((text) => ({ type: 'p', children: [{ text }] }))
    const content = { type: 'richText', richText: paragraphs }
    expect(sent.json()).toEqual({
      message: { id: expect.any(String), type: 'text', content, sender: { name: 'Ada' } },
    })
    expect((await seen()).messages).toEqual([sent.json().message])
    await goOn('My order')
    expect(await seen()).not.toHaveProperty('messages')
    expect(chat.audit.at(-1)).toMatchObject({ action: 'say', detail: 'a message by Ada' })
  })

  it('is written as the client of the visitor asks for', async () => {
    const { start, post, change, write } = await serve()
    await start()
    await change({ status: 'paused' })
    await post('/v1/sessions/session-1/continueChat', { message: 'x', textBubbleContentFormat: 'markdown' })
    expect((await write({ text: 'a\nb' })).json().message).toMatchObject({
      content: { type: 'markdown', markdown: 'a\n\nb' },
      sender: {},
    })
  })

  it('pauses nothing, and puts off no event: a last word comes after the conversation was given back', async () => {
    const { start, goOn, change, write, seen, letPass } = await serve()
    await start()
    await change({ status: 'paused' })
    await change({ status: 'open' })
    await letPass('PT9M')
    await write({ text: 'Take care' })
    expect(await seen()).toMatchObject({ waitingFor: 'input', actsAfterSeconds: 60 })
    expect((await goOn('Ada')).json()).toMatchObject({ input: { id: 'i2' } })
  })

  it('is told to who follows the events, and so are replies; none is lost where both come at once', async () => {
    const { start, goOn, change, write, chat } = await serve()
    await start()
    await change({ status: 'paused' })
    const since = `2-${(await sessionOf(chat, 'session-1'))?.createdAt.toString(36)}`
    await write({ text: 'Hi', name: 'Ada' })
    await goOn({ type: 'text', text: 'See', attachedFileUrls: ['https://a.example/x.png'] })
    await goOn({ type: 'audio', url: 'https://a.example/x.ogg' })
    await write({ text: 'Thanks' })
    await change({ status: 'open' })
    const events: { type: string; data?: string }[] = []
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const named = { sessionId: 'session-1', caller: anonymous, origin: undefined, address: 'a' }
    const follow = await chat.chat.follow({ ...named, signal: ended.signal, since })
    follow({ receive: (event) => events.push(event), end: () => undefined, fail: () => undefined })
    await expect.poll(() => events.length).toBe(6)
    expect(events.map(({ type, data = '{}' }) => [type, JSON.parse(data)])).toMatchObject([
      ['messages', { messages: [{ sender: { name: 'Ada' } }] }],
      ['reply', { reply: { text: 'See', attachedFileUrls: ['https://a.example/x.png'] } }],
      ['reply', { reply: { url: 'https://a.example/x.ogg' } }],
      ['messages', { messages: [{ sender: {} }] }],
      ['messages', { messages: [{ id: 'b' }] }],
      ['updated', {}],
    ])
  })

  it('takes the deadline from a handoff, for somebody has come', async () => {
    const { start, write, letPass, seen } = await serve(handing({ deadline: 'PT5M', who: 'Support' }))
    expect((await start()).json().paused).toEqual({
      since: '2026-11-21T09:17:01.712Z',
      who: 'Support',
      until: '2026-11-21T09:22:01.712Z',
    })
    await write({ text: 'Hi', name: 'Ada' })
    await letPass('PT6M')
    expect((await seen()).paused).toEqual({ since: '2026-11-21T09:17:01.712Z', who: 'Ada' })
  })

  it('leaves a handoff behind it where an operator has set a time of their own', async () => {
    const flow = handing({ deadline: 'PT5M' }, [
      { id: 't', text: 'Back' },
      { id: 'i', type: 'text input' },
    ])
    const { start, change, letPass, seen } = await serve(flow)
    await start()
    await change({ status: 'paused', until: '2026-11-21T09:27:01.712Z' })
    await letPass('PT10M')
    expect(await seen()).toMatchObject({ messages: [{ id: 't' }], input: { id: 'i' } })
  })
})

describe('GET /v1/sessions/{sessionId}/transcript', () => {
  it('has what flow, visitor and people have said, page by page', async () => {
    const { start, goOn, change, write, transcript } = await serve()
    await start()
    await change({ status: 'paused' })
    await goOn('Hello?')
    await write({ text: 'Hi', name: 'Ada' })
    const lines = [
      { role: 'assistant', text: 'Your name?' },
      { role: 'user', text: 'Hello?' },
      { role: 'person', text: 'Hi', name: 'Ada' },
    ]
    expect((await transcript()).json()).toEqual({ lines })
    expect((await transcript('?limit=2')).json()).toEqual({ lines: lines.slice(1), nextCursor: '1' })
    expect((await transcript('?limit=2&cursor=1')).json()).toEqual({ lines: lines.slice(0, 1) })
  })

  it('has what was said in linked flows, too', async () => {
    const inner = wholeDefinition({
      id: 'inner',
      blocks: [
        { id: 'x', text: 'Inside' },
        { id: 'ix', type: 'text input' },
      ],
    })
    const outer = wholeDefinition({
      blocks: [
        { id: 't', text: 'Outside' },
        { id: 'l', type: 'Flow link', options: { flowId: 'inner' } },
      ],
    })
    const { start, app } = await serveChat([outer, inner], {})
    await start()
    const { lines } = (await app.inject('/v1/sessions/session-1/transcript')).json()
    expect(lines.map(({ text }: { text: string }) => text)).toEqual(['Outside', 'Inside'])
  })

  it('is not there for previews, unknown sessions and bad cursors', async () => {
    const { start, preview, app, transcript } = await serve()
    await start()
    await preview({ flow: asking, sessionId: 'trial' })
    expect((await app.inject('/v1/sessions/trial/transcript')).statusCode).toBe(404)
    expect((await app.inject('/v1/sessions/none/transcript')).statusCode).toBe(404)
    expect((await transcript('?cursor=x')).statusCode).toBe(400)
  })
})

it('records what operators do, to be run again', async () => {
  const { preview, app, chat } = await serve()
  await preview({ flow: asking, sessionId: 'trial', record: true })
  const url = '/v1/sessions/trial'
  await app.inject({ method: 'PATCH', url, payload: { status: 'paused', who: 'Ada' } })
  await app.inject({ method: 'POST', url: `${url}/messages`, payload: { text: 'Hi', name: 'Ada' } })
  await app.inject({ method: 'POST', url: `${url}/continueChat`, payload: { message: 'Hello?' } })
  await app.inject({ method: 'PATCH', url, payload: { status: 'open' } })
  await app.inject({ method: 'POST', url: `${url}/continueChat`, payload: { message: 'Ada' } })
  const recording = (await app.inject(`${url}/recording`)).json()
  const read = checkRecording(recording)
  const programs = compileRecorded(read, { registry: blockRegistry })
  expect(recording.turns.map(({ entry }: Json) => entry)).toEqual([
    'start',
    'operator',
    'operator',
    'continue',
    'operator',
    'continue',
  ])
  const asTest = await createReplays({ chat, limitMs: 10_000 }).run({
    caller: anonymous,
    body: { recording, asTest: true },
  })
  const { steps } = asTest.tests!.tests[0]!
  expect(steps?.filter(({ operator, asks }) => operator !== undefined || asks === 'person')).toEqual([
    { operator: { status: 'paused' } },
    { asks: 'person' },
    { operator: { says: 'Hi', name: 'Ada' } },
    { asks: 'person' },
    { asks: 'person' },
    { operator: { status: 'open' } },
  ])
  expect(await replayRecording(read, { programs })).toMatchObject({
    turns: JSON.parse(JSON.stringify(recording.turns)),
  })
})

it('records what a client sends back in a pause, to be run again', async () => {
  const { preview, app } = await serve()
  await preview({ flow: computing, sessionId: 'trial', record: true })
  const url = '/v1/sessions/trial'
  await app.inject({ method: 'PATCH', url, payload: { status: 'paused' } })
  await app.inject({ method: 'POST', url: `${url}/continueChat`, payload: { message: '42' } })
  await app.inject({ method: 'PATCH', url, payload: { status: 'open' } })
  const recording = (await app.inject(`${url}/recording`)).json()
  const read = checkRecording(recording)
  const programs = compileRecorded(read, { registry: blockRegistry })
  expect(recording.turns.at(-1).blocks).toEqual(['t', 'i'])
  const { turns, divergence } = await replayRecording(read, { programs })
  expect(divergence).toBeUndefined()
  expect(turns).toMatchObject(JSON.parse(JSON.stringify(recording.turns)))
})
