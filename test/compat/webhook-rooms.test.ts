import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { createTestChat } from '../support/start.ts'

const flow = {
  version: '6.1',
  id: 'flow-1',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      blocks: [
        {
          id: 'w1',
          type: 'webhook',
          options: { responseVariableMapping: [{ bodyPath: 'data.paid', variableId: 'v1' }] },
        },
        {
          id: 'b1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Paid {{Sum}}' }] }] },
        },
      ],
    },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: [{ id: 'v1', name: 'Sum' }],
  settings: {},
  theme: {},
}

async function listen(maxEventStreams = 100, rateLimitMax?: number) {
  const { chat, results } = createTestChat([flow])
  const { app } = await buildTestApp({
    chat,
    config: {
      compat: { trustedViewerOrigins: [] },
      previewToken: 'pr3view',
      adminTokens: adminTokens('adm1n'),
      maxEventStreams,
      rateLimitMax,
    },
  })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const join = (path: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
    onTestFinished(() => socket.terminate())
    return socket
  }
  const open = async (path: string) => {
    const socket = join(path)
    await once(socket, 'open')
    return socket
  }
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve) => {
      join(path)
        .on('error', () => undefined)
        .on('open', () => resolve(101))
        .on('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
    })
  const post = async (url: string, payload: object, token = 'adm1n') =>
    app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } })
  /** Makes the results `result-1` and so on. */
  const start = async (count: number) => {
    for (let nth = 0; nth < count; nth++)
      await app.inject({
        method: 'POST',
        url: '/api/v1/typebots/flow-1/startChat',
        payload: {},
        remoteAddress: `192.0.2.${nth}`,
      })
  }
  return { app, results, open, start, statusOf, post }
}

const room = '/parties/main/result-1/webhooks?_pk=0'

describe('rooms of webhook listeners', () => {
  it.each(['/api/v1/typebots', '/v1/flows'])('hears the call at %s, and goes on with it', async (base) => {
    const { open, start, post } = await listen()
    await start(2)
    const here = await open(room)
    const elsewhere = await open('/parties/main/result-2%2Fwebhooks')
    elsewhere.on('message', () => expect.unreachable())
    here.send('of no interest')
    const heard = once(here, 'message')
    await post(`${base}/flow-1/blocks/w1/results/result-1/executeWebhook`, { paid: 7 })
    const message = String((await heard)[0])
    expect(message).toBe('{"data":{"paid":7}}')
    const next = await post('/api/v1/sessions/session-1/continueChat', { message })
    expect(next.body).toContain('Paid')
    expect(next.body).toContain('"7"')
  })

  it('says nothing of a call that was refused', async () => {
    const { open, start, post } = await listen()
    await start(1)
    const socket = await open(room)
    socket.on('message', () => expect.unreachable())
    const url = '/v1/flows/flow-1/blocks/b1/results/result-1/executeWebhook'
    expect((await post(url, {})).statusCode).toBe(409)
  })

  it.each(['/', '/parties/main/webhooks', '/parties/main/a%00b/webhooks', '/parties/main/a/b/webhooks'])(
    'knows no room at %s',
    async (path) => {
      const { statusOf } = await listen()
      expect(await statusOf(path)).toBe(404)
    },
  )

  it('calls the previews of authors that wait at a block', async () => {
    const { open, post } = await listen()
    const started = await post('/api/v1/typebots/flow-1/preview/startChat', { typebot: flow }, 'pr3view')
    const { sessionId } = started.json()
    const socket = await open(`/parties/main/undefined/${sessionId}/webhooks`)
    const heard = once(socket, 'message')
    const call = (blockId: string, payload: object) =>
      post(`/api/v1/typebots/flow-1/blocks/${blockId}/web/executeTestWebhook`, payload)
    expect((await call('b1', { paid: 1 })).json()).toEqual({ message: 'OK' })
    await call('w1', { paid: 7 })
    const message = String((await heard)[0])
    expect(message).toBe('{"data":{"paid":7}}')
    const next = await post(`/api/v1/sessions/${sessionId}/continueChat`, { message })
    expect(next.body).toContain('"7"')
    expect((await call('w1', { long: 'ä'.repeat(4_000) })).statusCode).toBe(413)
  })

  it('admits four of a result, and so many in all', async () => {
    const { open, start, statusOf } = await listen(5)
    await start(3)
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open(room)))
    expect(await statusOf(room)).toBe(429)
    await open('/parties/main/result-2/webhooks')
    expect(await statusOf('/parties/main/result-3/webhooks')).toBe(429)
    sockets[0]?.terminate()
    await expect.poll(() => statusOf('/parties/main/result-3/webhooks')).toBe(101)
  })

  it('leaves an address its share, and others theirs', async () => {
    const { open, start, statusOf } = await listen()
    await start(21)
    const roomOf = (nth: number) => `/parties/main/result-${nth + 1}/webhooks`
    await Promise.all(Array.from({ length: 20 }, (_, nth) => open(roomOf(nth))))
    expect(await statusOf(roomOf(20))).toBe(429)
  })

  it('has no room for a result or a preview that is not there', async () => {
    const { results, start, statusOf } = await listen()
    expect(await statusOf(room)).toBe(404)
    await start(1)
    expect(await statusOf(room)).toBe(101)
    await results.delete('flow-1', ['result-1'])
    expect(await statusOf(room)).toBe(404)
    expect(await statusOf('/parties/main/undefined/nobody/webhooks')).toBe(404)
  })

  it('counts who comes as a request, and answers as to one', async () => {
    const { app, start, statusOf } = await listen(100, 3)
    await start(3)
    const { port } = app.server.address() as AddressInfo
    const statuses: unknown[] = []
    for (const nth of [1, 2, 3, 4]) statuses.push(await statusOf(`/parties/main/result-${nth}/webhooks`))
    expect(statuses).toEqual([101, 101, 101, 429])
    expect((await fetch(`http://127.0.0.1:${port}/parties/main/result-1/webhooks`)).status).toBe(429)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })

  it('ends those who send more than they have to say, and all when the service closes', async () => {
    const { app, open, start } = await listen()
    await start(1)
    const [talker, listener] = [await open(room), await open(room)]
    const cut = once(talker, 'close')
    talker.send('x'.repeat(5000))
    await cut
    const closed = once(listener, 'close')
    await app.close()
    await closed
  })
})
