import { describe, expect, it } from 'vitest'
import type { ExecuteWebhookRequest } from '../../src/conversations/continue/execute-webhook.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { recordingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/flow%201/blocks/w1/results/result-1/executeWebhook'
const authorization = 'Bearer adm1n'

async function setup(failure?: Error) {
  const asked: ExecuteWebhookRequest[] = []
  const executeWebhook = async (request: ExecuteWebhookRequest) => {
    asked.push(request)
    if (failure) throw failure
  }
  const { app, logLines } = await shareTestApp({
    chat: { ...recordingChat().chat, executeWebhook },
    config: { adminTokens: adminTokens('adm1n') },
  })
  const post = (
    payload: string,
    headers: Record<string, string> = { 'content-type': 'application/json', authorization },
  ) => app.inject({ method: 'POST', url, headers, payload })
  return { app, asked, post, logLines }
}

describe('POST /v1/flows/{flowId}/blocks/{blockId}/results/{resultId}/executeWebhook', () => {
  it.each([
    ['an object', '{"status":"paid","items":[{"sku":"K-9"},null]}'],
    ['an empty object', '{}'],
    ['an object whose keys mean something elsewhere', '{"message":"x","sessionId":1,"data":{}}'],
  ])('hands %s to the use case', async (_name, payload) => {
    const { post, asked } = await setup()
    const response = await post(payload)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({ message: 'OK' })
    expect(asked).toEqual([
      {
        flowId: 'flow 1',
        blockId: 'w1',
        resultId: 'result-1',
        payload: JSON.parse(payload),
        onFlow: expect.any(Function),
      },
    ])
  })

  it('takes no body for an empty object', async () => {
    const { post, asked } = await setup()
    expect((await post('', { authorization })).statusCode).toBe(200)
    expect(asked).toMatchObject([{ payload: {} }])
  })

  it.each([
    ['a list', '[{"status":"paid"}]'],
    ['a text', '"paid"'],
    ['a number', '4'],
    ['null', 'null'],
    ['no JSON', '{status'],
  ])('refuses %s', async (_name, payload) => {
    const { post, asked } = await setup()
    const response = await post(payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('BAD_REQUEST')
    expect(asked).toEqual([])
  })

  it('reports a session that waits elsewhere, and writes no id into the log', async () => {
    const { post, logLines } = await setup(new ServiceError('CONFLICT', 'It waits elsewhere'))
    const response = await post('{"status":"paid"}')
    expect(response.statusCode).toBe(409)
    expect(response.json().message).toBe('It waits elsewhere')
    expect(JSON.stringify(logLines)).not.toMatch(/result-1|paid|adm1n/)
  })

  it('is documented as an operation for the holder of the token', async () => {
    const { app } = await setup()
    const { paths } = (await app.inject('/openapi.json')).json()
    const path = '/v1/flows/{flowId}/blocks/{blockId}/results/{resultId}/executeWebhook'
    const { post } = paths[path]
    expect(post.security).toEqual([{ adminToken: ['operate'] }])
    const statuses = ['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503']
    expect(Object.keys(post.responses)).toEqual(statuses)
  })
})
