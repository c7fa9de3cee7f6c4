import { describe, expect, it } from 'vitest'
import { buildTestApp, recordingChat, shareTestApp } from '../support/build-test-app.ts'
import { sentBodyOf } from '../support/preview-request.ts'

const url = '/v1/flows/flow-1/preview/startChat'

describe('POST /v1/flows/{flowId}/preview/startChat', () => {
  it('hands the request to the use case, the definition as it was sent', async () => {
    const { chat, previews } = recordingChat('{"sessionId":"p"}')
    const { app } = await buildTestApp({ chat, config: { previewToken: 't0ken' } })
    const body = {
      flow: { version: '6', groups: [{ x: 5, __unknown: null }], nonsense: ['1', 1, true] },
      startFrom: { type: 'event', eventId: 'e' },
      sessionId: 'flow-1-user-7',
      isProgressBarEnabled: true,
      message: 'Hi',
    }
    const headers = { authorization: 'Bearer t0ken' }
    const response = await app.inject({ method: 'POST', url, headers, payload: body })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toBe('{"sessionId":"p"}')
    expect(previews).toMatchObject([
      { flowId: 'flow-1', caller: { kind: 'preview' }, body, sentBody: sentBodyOf(JSON.stringify(body)) },
    ])
  })

  it('takes no body for an empty object', async () => {
    const { chat, previews } = recordingChat()
    const { app } = await shareTestApp({ chat })
    await app.inject({ method: 'POST', url })
    expect(previews).toMatchObject([
      { flowId: 'flow-1', caller: { kind: 'anonymous' }, body: {}, sentBody: undefined },
    ])
  })

  const badSessionId = 'must match pattern "^[!-.0-~]{1,128}$", such as "pv7Qm2XkT9sLw4ZbR8cYd"'
  it.each([
    [{ flow: 'x' }, '/flow', 'must be object'],
    [{ flow: null }, '/flow', 'must be object'],
    [{ flow: [] }, '/flow', 'must be object'],
    [{ startFrom: { type: 'group' } }, '/startFrom', "must have required property 'groupId'"],
    [{ startFrom: { type: 'block' } }, '/startFrom', "must have required property 'blockId'"],
    [{ startFrom: { type: 'edge' } }, '/startFrom/type', 'must be one of: group, block, event'],
    [{ startFrom: 'g1' }, '/startFrom', 'must be object'],
    [{ sessionId: '' }, '/sessionId', badSessionId],
    [{ sessionId: 'a b' }, '/sessionId', badSessionId],
    [{ sessionId: 'a/b' }, '/sessionId', badSessionId],
    [{ sessionId: 'x'.repeat(129) }, '/sessionId', badSessionId],
    [{ sessionId: 5 }, '/sessionId', 'must be string'],
    [{ isProgressBarEnabled: 'true' }, '/isProgressBarEnabled', 'must be boolean'],
  ])('refuses %j by its place', async (payload, pointer, message) => {
    const { chat, previews } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const response = await app.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST', errors: [{ pointer, message }] })
    expect(previews).toEqual([])
  })

  it('has a limit of its own for the size of a body', async () => {
    const { app } = await buildTestApp({ config: { bodyLimit: 100, previewBodyLimit: 200 } })
    const headers = { 'content-type': 'application/json' }
    const send = (length: number) =>
      app.inject({ method: 'POST', url, headers, payload: `{"message":"${'x'.repeat(length - 14)}"}` })
    expect((await send(200)).statusCode).toBe(200)
    expect((await send(201)).statusCode).toBe(413)
  })

  it('takes long labels in its path', async () => {
    const { chat, previews } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const flowId = 'x'.repeat(1000)
    const response = await app.inject({ method: 'POST', url: `/v1/flows/${flowId}/preview/startChat` })
    expect(response.statusCode).toBe(200)
    expect(previews[0]?.flowId).toBe(flowId)
  })
})
