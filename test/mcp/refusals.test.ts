import { describe, expect, it } from 'vitest'
import { textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { buildMcpApp, sendMcp, sendNew, tokens } from '../support/mcp-clients.ts'
import { createTestChat } from '../support/start.ts'

const settings = { general: { mcp: { description: 'Asks', arguments: { City: 'Where' } } } }

const asking = (id: string) =>
  wholeDefinition({
    id,
    settings,
    variables: [variable('Name'), variable('Age'), variable('City')],
    blocks: [textInput('i1', 'vName'), textInput('i2', 'vAge')],
  })

async function openAsking(config: Json = {}) {
  const world = createTestChat([asking('one'), asking('two')])
  const { app } = await buildMcpApp(world.chat, config)
  const call = (params: Json, token = tokens.desk) => sendNew(app, 'tools/call', params, { token })
  const first = await call({ name: 'one', arguments: { City: 'Paris' } })
  const { requestState } = first.body['result'] as { requestState: string }
  const inputResponses = { question: { action: 'accept', content: { answer: 'Ada' } } }
  return { app, world, call, requestState, inputResponses }
}

const errorOf = ({ body }: { body: Json }) => body['error'] as { code: number; message: string } | undefined

describe('a state', () => {
  it('is taken once', async () => {
    const { call, requestState, inputResponses } = await openAsking()
    const retry = { name: 'one', arguments: { City: 'Paris' }, requestState, inputResponses }
    expect((await call(retry)).body['result']).toMatchObject({ resultType: 'input_required' })
    expect(errorOf(await call(retry))).toEqual({
      code: -32602,
      message: 'This question was answered already, and the conversation has gone on',
    })
  })

  it('is taken by one of two that bring it at once', async () => {
    const { call, requestState, inputResponses } = await openAsking()
    const retry = { name: 'one', arguments: { City: 'Paris' }, requestState, inputResponses }
    const answers = await Promise.all([call(retry), call(retry), call(retry)])
    expect(answers.filter((answer) => errorOf(answer) === undefined).length).toBe(1)
  })

  it('that was changed, or is brought by another token, tool or with other arguments is refused', async () => {
    const { call, requestState, inputResponses, world } = await openAsking()
    const right = { name: 'one', arguments: { City: 'Paris' }, requestState, inputResponses }
    const middle = Math.floor(requestState.length / 2)
    const other = requestState[middle] === 'A' ? 'B' : 'A'
    const forged = requestState.slice(0, middle) + other + requestState.slice(middle + 1)
    const refused = await Promise.all([
      call({ ...right, requestState: forged }),
      call({ ...right, requestState: '' }),
      call({ ...right, requestState: 'AAAA' }),
      call({ ...right, name: 'two' }),
      call({ ...right, arguments: { City: 'Rome' } }),
      call({ ...right, arguments: {} }),
      call(right, tokens.shop),
      call({ name: 'answer', arguments: { handle: 'x' }, requestState, inputResponses }),
    ])
    for (const answer of refused)
      expect(errorOf(answer)?.message).toBe('/params/requestState is not of this call: begin anew without it')
    expect((await world.results.get('one', 'result-1'))?.transcript ?? []).toEqual([])
    expect((await call(right)).body['result']).toMatchObject({ resultType: 'input_required' })
  })

  it('of another process is taken with the same secret, and refused with another', async () => {
    const sealSecret = 'x'.repeat(32)
    const { world, requestState, inputResponses } = await openAsking({ sealSecret })
    const retry = { name: 'one', arguments: { City: 'Paris' }, requestState, inputResponses }
    const others = await buildMcpApp(world.chat, { sealSecret: 'y'.repeat(32) })
    expect(errorOf(await sendNew(others.app, 'tools/call', retry))?.code).toBe(-32602)
    const same = await buildMcpApp(world.chat, { sealSecret })
    expect((await sendNew(same.app, 'tools/call', retry)).body['result']).toMatchObject({
      resultType: 'input_required',
    })
  })

  it('without an answer gets the question anew, and one that is declined a handle for later', async () => {
    const { call, requestState } = await openAsking()
    const retry = { name: 'one', arguments: { City: 'Paris' }, requestState }
    for (const inputResponses of [undefined, {}, { question: { action: 'accept', content: {} } }]) {
      const { body } = await call({ ...retry, ...(inputResponses && { inputResponses }) })
      expect(body['result']).toMatchObject({ resultType: 'input_required', inputRequests: { question: {} } })
    }
    const { body } = await call({ ...retry, inputResponses: { question: { action: 'decline' } } })
    const { structuredContent } = body['result'] as { structuredContent: Json }
    expect(structuredContent).toMatchObject({ state: 'asks' })
    const later = await call({
      name: 'answer',
      arguments: { handle: structuredContent['handle'], text: 'Ada' },
    })
    expect(later.body['result']).toMatchObject({ resultType: 'input_required' })
  })

  it('of a conversation that has ended leads to its end', async () => {
    const { app, requestState, inputResponses } = await openAsking()
    const goOn = () =>
      app.inject({ method: 'POST', url: '/v1/sessions/session-1/continueChat', payload: { message: 'x' } })
    await goOn()
    await goOn()
    const retry = { name: 'one', arguments: { City: 'Paris' }, requestState, inputResponses }
    const { body } = await sendNew(app, 'tools/call', retry)
    expect(body['result']).toMatchObject({ structuredContent: { state: 'over', messages: [] } })
  })
})

describe('a handle', () => {
  it('of another token, or a changed one, is refused in words', async () => {
    const { app, call } = await openAsking()
    const capabilities = {}
    const first = await sendNew(app, 'tools/call', { name: 'one' }, { capabilities })
    const { handle } = (first.body['result'] as Json)['structuredContent'] as { handle: string }
    const answer = (handle: string, token?: string) =>
      call({ name: 'answer', arguments: { handle, text: 'Ada' } }, token)
    for (const refused of [await answer(handle, tokens.shop), await answer(`A${handle.slice(1)}A`)])
      expect(refused.body['result']).toMatchObject({ isError: true })
    expect((await answer(handle)).body['result']).toMatchObject({ resultType: 'input_required' })
  })
})

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('a message', () => {
  it.each<[string, unknown, number]>([
    ['that is no JSON', '{"jsonrpc":', 400],
    ['that is a batch', [list], 400],
    ['of another version of JSON-RPC', { ...list, jsonrpc: '1.0' }, 400],
    ['without a method', { jsonrpc: '2.0', id: 1 }, 400],
    ['whose id is no name', { ...list, id: {} }, 400],
    ['whose parameters are a list', { ...list, params: [] }, 400],
    ['that is nothing', '', 400],
    ['with a state that no question has', { ...list, params: { requestState: 'a'.repeat(5_000) } }, 400],
    ['that is huge', { ...list, params: { padding: 'a'.repeat(2_000_000) } }, 413],
  ])('%s is refused by a problem document', async (_what, body, status) => {
    const { app } = await openAsking()
    const answer = await sendMcp(app, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
  })

  it('of another content type is refused', async () => {
    const { app } = await openAsking()
    expect((await sendMcp(app, list, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('of a method that is not there is refused as each specification has it', async () => {
    const { app } = await openAsking()
    const old = await sendMcp(app, { ...list, method: 'prompts/list' })
    expect([old.status, errorOf(old)?.code]).toEqual([200, -32601])
    for (const method of ['prompts/list', 'ping', 'initialize', 'constructor']) {
      const answer = await sendNew(app, method)
      expect([answer.status, errorOf(answer)?.code]).toEqual([404, -32601])
    }
  })

  it('that wants no answer gets none', async () => {
    const { app } = await openAsking()
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await sendMcp(app, notification)).toEqual({ status: 202, body: undefined })
    const described = (await app.inject('/openapi.json')).json().paths['/mcp'].post.responses['202']
    expect(described.content).toBeUndefined()
  })

  it('whose headers say something else than its body is refused', async () => {
    const { app } = await openAsking()
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = { ...list, params: { _meta: meta } }
    const version = { 'mcp-protocol-version': '2026-07-28' }
    const codeOf = async (sent: unknown, headers: Record<string, string>) => {
      const answer = await sendMcp(app, sent, headers)
      return [answer.status, errorOf(answer)?.code]
    }
    expect(await codeOf(body, {})).toEqual([400, -32020])
    expect(await codeOf(body, version)).toEqual([400, -32020])
    expect(await codeOf(body, { ...version, 'mcp-method': 'tools/call' })).toEqual([400, -32020])
    expect(await codeOf(body, { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/list' })).toEqual([
      400, -32020,
    ])
    expect(await codeOf(list, version)).toEqual([400, -32602])
    for (const other of ['1999-01-01', '2031-01-01', 'latest', ''])
      expect(await codeOf(list, { 'mcp-protocol-version': other })).toEqual([400, -32022])
    const named = { ...body, method: 'tools/call', params: { _meta: meta, name: 'one' } }
    const calling = { ...version, 'mcp-method': 'tools/call' }
    expect(await codeOf(named, { ...calling, 'mcp-name': 'two' })).toEqual([400, -32020])
    const encoded = `=?base64?${Buffer.from('one').toString('base64')}?=`
    expect(await codeOf(named, { ...calling, 'mcp-name': encoded })).toEqual([200, undefined])
    const future = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const sentFuture = { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' }
    expect(await codeOf({ ...list, params: { _meta: future } }, sentFuture)).toEqual([400, -32022])
  })

  it('without the address of what it wants to read is told which place is wrong', async () => {
    const { app } = await openAsking()
    const read = { ...list, method: 'resources/read', params: {} }
    expect(errorOf(await sendMcp(app, read))).toEqual({
      code: -32602,
      message: '/params/uri must be a text, as `resources/list` names it',
    })
  })

  it('from the page of another site is refused', async () => {
    const { app } = await openAsking()
    expect((await sendMcp(app, list, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await sendMcp(app, list, { origin: 'null' })).status).toBe(403)
  })

  it('without a token of an assistant is refused, and with one nothing else is open', async () => {
    const { app } = await openAsking({ adminTokens: [{ name: 'admin', token: 'a'.repeat(32) }] })
    for (const authorization of ['', 'Bearer x', `Bearer ${'a'.repeat(32)}`])
      expect((await sendMcp(app, list, { authorization })).status).toBe(401)
    const headers = { authorization: `Bearer ${tokens.desk}` }
    expect((await app.inject({ url: '/v1/flows', headers })).statusCode).toBe(401)
  })

  it('is refused where no token opens the address', async () => {
    const { app } = await openAsking()
    const off = await buildMcpApp(createTestChat().chat, { mcpTokens: [] })
    expect(await sendMcp(off.app, list)).toMatchObject({ status: 403 })
    expect((await app.inject({ method: 'GET', url: '/mcp' })).statusCode).toBe(405)
  })

  it('is counted among those of its address', async () => {
    const { app } = await openAsking({ rateLimitMax: 2 })
    expect((await sendMcp(app, list)).status).toBe(200)
    expect((await sendMcp(app, list)).status).toBe(429)
  })
})

describe('a call', () => {
  it('of a tool that is not there, or with what it does not take, is refused with the place', async () => {
    const { call } = await openAsking()
    const messageOf = async (params: Json) => errorOf(await call(params))?.message
    expect(await messageOf({ name: 'three' })).toBe('There is no tool "three": list them again')
    expect(await messageOf({ arguments: {} })).toBe(
      '/params/name is missing: a text, as `tools/list` names it',
    )
    expect(await messageOf({ name: 'one', arguments: { Name: 'Eve' } })).toBe(
      '/params/arguments/Name: the tool has no such argument',
    )
    expect(await messageOf({ name: 'one', arguments: { City: 1 } })).toBe(
      '/params/arguments/City must be a text',
    )
    expect(await messageOf({ name: 'answer', arguments: {} })).toMatch(/^\/params\/arguments\/handle must/)
  })

  it('of a closed flow is told the words of its author', async () => {
    const closed = { ...asking('one'), isClosed: true }
    const { app } = await buildMcpApp(createTestChat([closed]).chat)
    const { body } = await sendNew(app, 'tools/call', { name: 'one' })
    expect(body['result']).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'This bot is now closed' }],
    })
    expect((await sendNew(app, 'tools/list')).body['result']).toMatchObject({ tools: [] })
  })
})
