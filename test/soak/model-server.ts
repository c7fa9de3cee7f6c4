import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server of a language model, which streams the same words to everybody. */
export async function startModelServer(): Promise<{ readonly url: string; close(): void }> {
  const words = ['Well', ', ', 'hello', '.']
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.setHeader('content-type', 'text/event-stream')
      for (const content of words) {
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      }
      response.end('data: [DONE]\n\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
