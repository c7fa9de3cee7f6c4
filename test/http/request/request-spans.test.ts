import { request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { buildTestApp, failingChat, recordingChat } from '../../support/build-test-app.ts'
import { attributesOf, startTracing } from '../../support/otlp-collector.ts'
import type { UseCases } from '../../support/use-cases.ts'

/** A server that tells of its requests. */
async function listen(chat: UseCases = recordingChat().chat) {
  const { spans, collected, bodies } = await startTracing()
  const { app } = await buildTestApp({ spans, chat })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { address, collected, bodies }
}

const json = { 'content-type': 'application/json' }
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('the span of a request', () => {
  it.each([
    ['POST', '/v1/sessions/s3cret/continueChat', 'POST /v1/sessions/{sessionId}/continueChat', 200],
    ['POST', '/v1/sessions/s3cret/nothing', 'HTTP', 404],
    ['DELETE', '/v1/sessions/s3cret/continueChat', 'HTTP', 405],
  ] as const)('of %s %s is called %s', async (method, url, name, status) => {
    const { address, collected, bodies } = await listen()
    const headers = { traceparent, ...json }
    await (await fetch(address + url, { method, headers, body: '{"message":"Ada"}' })).text()
    const [span, ...others] = await collected()
    expect(others).toEqual([])
    expect(span).toMatchObject({
      name,
      kind: 2,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
    })
    expect(attributesOf(span!)).toEqual({
      'http.request.method': method,
      'url.scheme': 'http',
      ...(status === 200 && { 'http.route': '/v1/sessions/{sessionId}/continueChat' }),
      'http.response.status_code': status,
    })
    expect(JSON.stringify(bodies)).not.toContain('s3cret')
  })

  it('says that it failed where the service did', async () => {
    const { address, collected } = await listen(failingChat(new Error('s3cret')))
    await (
      await fetch(`${address}/v1/flows/f/startChat`, { method: 'POST', headers: json, body: '{}' })
    ).text()
    const [span] = await collected()
    expect(attributesOf(span!)).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' })
    expect(span?.status.code).toBe(2)
  })

  it('is sent for one whose caller went away', async () => {
    let gone = () => {}
    const started = new Promise<never>(() => {
      gone = () => leaving.destroy()
    })
    const { address, collected } = await listen({
      ...recordingChat().chat,
      startPublished() {
        gone()
        return started
      },
    })
    const leaving = request(`${address}/v1/flows/f/startChat`, { method: 'POST', headers: json })
    leaving.on('error', () => undefined).end('{}')
    await new Promise((resolve) => leaving.once('close', resolve))
    await vi.waitFor(async () => expect(await collected()).toHaveLength(1))
    const [span] = await collected()
    expect(attributesOf(span!)).toMatchObject({ 'error.type': 'client closed' })
  })

  it('is not sent for what looks after the process', async () => {
    const { address, collected } = await listen()
    for (const url of ['/health', '/ready', '/metrics']) await (await fetch(address + url)).text()
    expect(await collected()).toEqual([])
  })
})
