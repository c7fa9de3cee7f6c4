import { describe, expect, it } from 'vitest'
import type { UpdateFlowRequest } from '../../src/conversations/continue/update-flow.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp, recordingChat } from '../support/build-test-app.ts'

const url = '/v1/sessions/session-1/updateFlow'

async function setup(failure?: Error) {
  const asked: UpdateFlowRequest[] = []
  const updateFlow = async (request: UpdateFlowRequest) => {
    asked.push(request)
    if (failure) throw failure
  }
  const { app } = await buildTestApp({
    chat: { ...recordingChat().chat, updateFlow },
    config: { adminTokens: adminTokens('adm1n') },
  })
  return { app, asked }
}

describe('POST /v1/sessions/{sessionId}/updateFlow', () => {
  it.each([
    ['no body', {}],
    ['an empty object', { payload: {} }],
    ['a body, which says nothing', { payload: { flowId: 'other' } }],
  ])('hands the request to the use case, with %s', async (_name, request) => {
    const { app, asked } = await setup()
    const headers = { authorization: 'Bearer adm1n' }
    const response = await app.inject({ method: 'POST', url, headers, ...request })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({ message: 'success' })
    expect(asked).toEqual([{ sessionId: 'session-1', onFlow: expect.any(Function) }])
  })

  it('reports what the published version lacks, and not to try again', async () => {
    const { app } = await setup(new ServiceError('CONFLICT', 'The published version lacks block "i1"'))
    const response = await app.inject({ method: 'POST', url, headers: { authorization: 'Bearer adm1n' } })
    expect(response.statusCode).toBe(409)
    expect(response.json().message).toBe('The published version lacks block "i1"')
    expect(response.headers).not.toHaveProperty('retry-after')
  })

  it('is documented as an operation for the holder of the token', async () => {
    const { app } = await setup()
    const { paths } = (await app.inject('/openapi.json')).json()
    expect(paths['/v1/sessions/{sessionId}/updateFlow'].post.security).toEqual([{ adminToken: ['publish'] }])
  })
})
