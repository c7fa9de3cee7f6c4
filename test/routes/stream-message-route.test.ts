import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { StreamMessageRequest } from '../../src/conversations/streaming/stream-message.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { buildTestApp, failingChat, recordingChat } from '../support/build-test-app.ts'

const url = '/v2/sessions/s1/streamMessage'

async function* recordsOf(...records: readonly string[]) {
  yield* records
}

/** A server whose answers are these records, and what it was asked. */
async function streaming(records: AsyncIterable<string>) {
  const asked: StreamMessageRequest[] = []
  const streamMessage = async (given: StreamMessageRequest) => {
    asked.push(given)
    return records
  }
  return { ...(await buildTestApp({ chat: { ...recordingChat().chat, streamMessage } })), asked }
}

describe('POST /v2/sessions/{sessionId}/streamMessage', () => {
  it.each([undefined, {}, { messages: [{ role: 'user', content: 'x' }] }])(
    'answers a body of %j with lines of text',
    async (payload) => {
      const { app, asked } = await streaming(recordsOf('0:"a"\n', '0:"b"\n', 'd:{}\n'))
      const origin = 'https://shop.example'
      const response = await app.inject({
        method: 'POST',
        url,
        headers: { origin },
        ...(payload && { payload }),
      })
      expect(response.statusCode).toBe(200)
      expect(response.body).toBe('0:"a"\n0:"b"\nd:{}\n')
      expect(response.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      })
      expect(asked).toMatchObject([{ sessionId: 's1', origin }])
    },
  )

  it.each<[ServiceError['code'], number]>([
    ['NOT_FOUND', 404],
    ['BAD_REQUEST', 400],
    ['FORBIDDEN', 403],
    ['CONFLICT', 409],
    ['SERVICE_UNAVAILABLE', 503],
    ['TOO_MANY_REQUESTS', 429],
  ])('answers %s with a problem document', async (code, status) => {
    const { app } = await buildTestApp({ chat: failingChat(new ServiceError(code, 'No.')) })
    const response = await app.inject({ method: 'POST', url })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toMatchObject({ code, message: 'No.', instance: url })
  })

  it('sends each piece when it is there, and ends when the client hangs up', async () => {
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const records = async function* () {
      yield '0:"a"\n'
      await held
      yield '0:"b"\n'
      await new Promise(() => {})
    }
    const { app, asked } = await streaming(records())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const sent = request({ host: '127.0.0.1', port, path: url, method: 'POST' })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(String((await once(response, 'data'))[0])).toBe('0:"a"\n')
    goOn()
    expect(String((await once(response, 'data'))[0])).toBe('0:"b"\n')
    const signal = asked[0]?.signal as AbortSignal
    expect(signal.aborted).toBe(false)
    const aborted = once(signal, 'abort')
    response.destroy()
    await aborted
  })
})
