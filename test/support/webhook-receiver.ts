import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import type { Json } from './json.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** An event as it was verified. */
export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly data: Json
}

/** How a receiver treats an event: takes it, refuses it for a second, or cuts the connection. */
export type Treatment = 'take' | 'refuse' | 'cut'

/** Receives events until the test is over, and verifies each by the library of the specification. */
export async function startWebhookReceiver(treat: (event: ReceivedEvent) => Treatment = () => 'take') {
  const webhook = new Webhook(webhookSecret)
  const taken: ReceivedEvent[] = []
  const forged: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const id = String(request.headers['webhook-id'])
    try {
      const { type, data } = webhook.verify(body, request.headers as Record<string, string>) as ReceivedEvent
      const treatment = treat({ id, type, data })
      if (treatment === 'cut') return request.socket.destroy()
      if (treatment === 'refuse') return response.writeHead(503, { 'retry-after': '1' }).end()
      if (!taken.some((event) => event.id === id)) taken.push({ id, type, data })
      return response.writeHead(204).end()
    } catch {
      forged.push(body)
      return response.writeHead(401).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** Taken events in the order of their arrival, each once. */
  return { url: `http://127.0.0.1:${port}/hook`, port, taken, forged }
}
