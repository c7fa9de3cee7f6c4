import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Json } from './json.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** An event as it was verified. */
interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly data: Json
}

/** How a receiver treats an event: takes it, refuses it for a second, or cuts the connection. */
type Treatment = 'take' | 'refuse' | 'cut'

/** Takes two thirds of what comes; some connections are cut, which is retried later than what is refused. */
function treatAtRandom(cuts: boolean) {
  const seen = new Set<string>()
  return ({ id }: ReceivedEvent): Treatment => {
    const isFirst = !seen.has(id)
    seen.add(id)
    const chance = Math.random()
    return cuts && isFirst && chance < 0.05 ? 'cut' : chance < 0.33 ? 'refuse' : 'take'
  }
}

type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** Receives events, fails at random, and verifies each by the library of the specification. */
export async function startWebhookReceiver({ cuts = true } = {}) {
  const treat = treatAtRandom(cuts)
  const webhook = new Webhook(webhookSecret)
  const taken: ReceivedEvent[] = []
  const again: string[] = []
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
      if (taken.some((event) => event.id === id)) again.push(id)
      else taken.push({ id, type, data })
      return response.writeHead(204).end()
    } catch {
      forged.push(body)
      return response.writeHead(401).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    /** Taken events in the order of their arrival, each once. */
    taken,
    /** Those that had been taken before. */
    again,
    forged,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A conversation that is over: what was said in it, in order, and what of it was acknowledged. */
export interface ToldConversation {
  readonly sessionId: string
  readonly said: readonly string[]
  readonly acknowledged: readonly string[]
}

/** What of a conversation has not arrived, and what has in another order. */
export function checkEvents(
  { taken }: Pick<WebhookReceiver, 'taken'>,
  { sessionId, said, acknowledged }: ToldConversation,
) {
  const events = taken.filter(({ data }) => data['sessionId'] === sessionId)
  const completed = events.filter(({ type }) => type === 'turn.completed')
  const changed = events.filter(({ type }) => type === 'result.changed')
  const replies = completed.flatMap(({ data }) =>
    data['reply'] === undefined ? [] : [String(data['reply'])],
  )
  const missing = acknowledged.filter((message) => !replies.includes(message))
  if (changed.length !== completed.length) missing.push(`${changed.length} of ${completed.length} results`)
  if (!events.some(({ type }) => type === 'conversation.started')) missing.push('conversation.started')
  const began = events.slice(0, 1).map(({ type }) => type)
  const arrived = [...began, ...replies]
  const heard = said.filter((message) => replies.includes(message))
  const inOrder = [...began.map(() => 'conversation.started'), ...heard]
  const outOfOrder =
    arrived.join() === inOrder.join() ? [] : [`${arrived.join()} in place of ${inOrder.join()}`]
  const name = (problem: string) => `${sessionId} ${problem}`
  return { missing: missing.map(name), outOfOrder: outOfOrder.map(name) }
}
