import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { StartPreviewRequest } from '../../../src/conversations/start/start-preview-chat.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { openUploadWorld, tokenIn } from '../../fixtures/uploading.ts'
import { adminTokens } from '../../support/admin-tokens.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { previewRequest, trusted } from '../../support/preview-request.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

const compat = { trustedViewerOrigins: ['https://viewer.example'] }

async function serve(definition = {}, maxEventStreams = 5) {
  const world = await openUploadWorld({ block: { type: 'file input' }, definition })
  const { app } = await buildTestApp({
    chat: world.world.chat,
    uploads: world.uploads,
    config: { compat, maxEventStreams },
  })
  return { ...world, app }
}

describe('clients of the other API', () => {
  it('Sockets that wait for webhooks are opened and never closed', async () => {
    const { chat } = createTestChat([
      wholeDefinition({ id: 'flow-1', blocks: [{ id: 'hook', type: 'webhook' }] }),
    ])
    const { app } = await buildTestApp({ chat, config: { compat, maxEventStreams: 5 } })
    for (let nth = 0; nth < 4; nth++) await app.inject({ method: 'POST', url: '/v1/flows/flow-1/startChat' })
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const open = (room: string) =>
      new Promise<boolean>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/parties/main/${room}/webhooks`)
        onTestFinished(() => socket.terminate())
        socket.on('open', () => resolve(true)).on('error', () => resolve(false))
      })
    const opened = async (rooms: readonly string[]) => {
      let count = 0
      for (const room of rooms) if (await open(room)) count += 1
      return count
    }
    expect(await opened(['nobody', 'result-5'])).toBe(0)
    expect(await opened(Array(8).fill('result-1'))).toBe(4)
    expect(await opened(['result-2', 'result-3', 'result-4'])).toBe(1)
  })

  it('Somebody who guesses the id of a preview, or starts one alike, hears what its webhook is tried with', async () => {
    const { chat } = createTestChat()
    const { app } = await buildTestApp({
      chat,
      config: { compat, adminTokens: adminTokens('adm1n'), previewToken: 'pr3view' },
    })
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const flow = wholeDefinition({ id: 'flow-1', blocks: [{ id: 'hook', type: 'webhook' }] })
    const join = async (request: StartPreviewRequest) => {
      const { sessionId } = parseWire(await chat.startPreview(request))
      const socket = new WebSocket(`ws://127.0.0.1:${port}/parties/main/undefined/${sessionId}/webhooks`)
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      return socket
    }
    const others = [
      await join(previewRequest({ flow })),
      await join(previewRequest({ flow, sessionId: 'mine' }, trusted)),
    ]
    const heard: string[] = []
    for (const socket of others) socket.on('message', (text) => heard.push(String(text)))
    const author = await join(previewRequest({ flow }, trusted))
    const told = once(author, 'message')
    await app.inject({
      method: 'POST',
      url: '/api/v1/typebots/flow-1/blocks/hook/web/executeTestWebhook',
      headers: { authorization: 'Bearer adm1n' },
      payload: { secret: 7 },
    })
    expect(String((await told)[0])).toBe('{"data":{"secret":7}}')
    for (const socket of others) {
      const answered = once(socket, 'pong')
      socket.ping()
      await answered
    }
    expect(heard).toEqual([])
  })

  it('A page says that another site embeds it', async () => {
    const { app } = await serve({ settings: { security: { allowedOrigins: ['https://shop.example'] } } })
    const start = async (origin: string) => {
      const headers = { origin, 'x-typebot-iframe-referrer-origin': 'https://shop.example' }
      const url = '/api/v1/typebots/flow-1/startChat'
      return (await app.inject({ method: 'POST', url, headers })).statusCode
    }
    expect(await start('https://evil.example')).toBe(403)
    expect(await start('https://viewer.example')).toBe(200)
  })

  it('A form that breaks off passes for a whole file', async () => {
    const { app, uploads, startLive } = await serve()
    const body = { sessionId: await startLive(), fileType: 'image/png' }
    const offer = await uploads.offer({
      caller: anonymous,
      body,
      origin: undefined,
      ownUrl: 'http://flows.example',
    })
    const send = (payload: string) =>
      app.inject({
        method: 'POST',
        url: `/uploads/${tokenIn(offer)}`,
        headers: { 'content-type': 'multipart/form-data; boundary=xx' },
        payload,
      })
    const half = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nhal'
    expect((await send(half)).statusCode).toBe(400)
    expect((await send(`${half}f\r\n--xx--\r\n`)).statusCode).toBe(204)
  })
})
