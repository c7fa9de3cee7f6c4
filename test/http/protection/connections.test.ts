import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { spareConnections } from '../../../src/http/protection/connections.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'

const max = 4

async function serve() {
  const { chat } = recordingChat()
  // Answers once it is let go.
  let letGo = () => {}
  let begun = 0
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { app } = await buildTestApp({
    chat: {
      ...chat,
      async continue(request) {
        begun += 1
        await held
        return chat.continue(request)
      },
    },
    config: { maxConnections: max },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  /** The status of the answer; `closed` where the connection ends without one. */
  const ask = async (path: string, socket?: Socket): Promise<string> => {
    const asked = socket ?? (await open())
    const answer = Promise.race([
      once(asked, 'data').then(([data]) => String(data).slice(9, 12)),
      once(asked, 'close').then(() => 'closed'),
    ])
    asked.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    return answer
  }
  const isBusy = async () => {
    const socket = await open()
    socket.write(
      'POST /v1/sessions/s/continueChat HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    )
    const before = begun
    await expect.poll(() => begun).toBeGreaterThan(before)
    return socket
  }
  return { open, ask, isBusy, letGo: () => letGo() }
}

it('lets a new connection take the place of the one that is idle for longest', async () => {
  const { open, ask, isBusy, letGo } = await serve()
  const busy = await isBusy()
  const idle: Socket[] = []
  for (let nth = 0; nth < 40; nth++) idle.push(await open())
  expect(await ask('/v1/nothing')).toBe('404')
  await expect.poll(() => idle.filter(({ closed }) => !closed).length).toBeLessThan(max)
  expect(idle.at(-1)?.closed).toBe(false)
  letGo()
  expect(String(await once(busy, 'data'))).toContain('200 OK')
})

it('answers probes alone while all connections are in use, also when many more come', async () => {
  const { ask, open, isBusy } = await serve()
  for (let nth = 0; nth < max; nth++) await isBusy()
  expect(await ask('/v1/nothing')).toBe('503')
  for (let nth = 0; nth < 3 * spareConnections; nth++) void open()
  expect(await ask('/health')).toBe('200')
  expect(await ask('/ready')).toBe('200')
})
