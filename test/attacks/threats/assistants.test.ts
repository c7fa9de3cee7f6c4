import { describe, expect, it } from 'vitest'
import { readAccessTokens } from '../../../src/config/admin-tokens.ts'
import { textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { buildMcpApp, sendMcp, sendNew, tokens } from '../../support/mcp-clients.ts'
import { createTestChat } from '../../support/start.ts'

const settings = { general: { mcp: { description: 'Asks', arguments: { City: 'Where' } } } }

const adminToken = 'a'.repeat(32)

/** A flow that asks twice, offered to two assistants. */
async function openAsking() {
  const flow = wholeDefinition({
    id: 'one',
    settings,
    variables: [variable('Name'), variable('Age'), variable('City')],
    blocks: [textInput('i1', 'vName'), textInput('i2', 'vAge')],
  })
  const { chat } = createTestChat([flow])
  const named = `desk:mcp=${tokens.desk},shop:mcp=${tokens.shop},ops=${adminToken}`
  const { admin } = readAccessTokens({ ADMIN_TOKENS: named }, [])
  const { app } = await buildMcpApp(chat, { adminTokens: admin })
  const call = async (params: Json, token = tokens.desk) => {
    const { body } = await sendNew(app, 'tools/call', { name: 'one', ...params }, { token })
    return { result: body['result'] as Json | undefined, error: body['error'] as Json | undefined }
  }
  const inputResponses = { question: { action: 'accept', content: { answer: 'Ada' } } }
  const begin = async (arguments_: Json) => (await call({ arguments: arguments_ })).result?.['requestState']
  return { app, call, begin, inputResponses }
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('threats by assistants', () => {
  it('A token of assistants does what operators do, or a token of operators what assistants do', async () => {
    const { app } = await openAsking()
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const asOperator = async (token: string) =>
      (await app.inject({ url: '/v1/channels', headers: bearer(token) })).statusCode
    const asAssistant = async (token: string) => (await sendMcp(app, list, bearer(token))).status
    expect([await asOperator(tokens.desk), await asAssistant(adminToken), await asAssistant('')]).toEqual([
      401, 401, 401,
    ])
    expect([await asOperator(adminToken), await asAssistant(tokens.desk)]).toEqual([200, 200])
  })

  it('An assistant goes on with a conversation that another has begun', async () => {
    const { call, begin, inputResponses } = await openAsking()
    const requestState = await begin({ City: 'Paris' })
    const retry = { arguments: { City: 'Paris' }, requestState, inputResponses }
    const strangers = [
      await call(retry, tokens.shop),
      await call({ ...retry, arguments: { City: 'Rome' } }),
      await call({
        ...retry,
        requestState: `${requestState}`.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      }),
    ]
    expect(strangers.map(({ error }) => error?.['code'])).toEqual([-32602, -32602, -32602])
    expect((await call(retry)).result).toMatchObject({ resultType: 'input_required' })
  })

  it('A question that was answered is answered again by who has kept its state', async () => {
    const { call, begin, inputResponses } = await openAsking()
    const retry = { arguments: {}, requestState: await begin({}), inputResponses }
    expect((await call(retry)).result).toMatchObject({ resultType: 'input_required' })
    expect((await call(retry)).error).toMatchObject({ code: -32602 })
  })

  it('A page of another site calls tools by the browser of somebody inside', async () => {
    const { app } = await openAsking()
    const { status } = await sendMcp(app, list, { origin: 'https://evil.example' })
    expect(status).toBe(403)
  })
})
