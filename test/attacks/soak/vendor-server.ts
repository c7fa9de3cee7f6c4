import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { signEvent } from '../../vendors/stripe.ts'

/** Where blocks call: a model, an assistant, a table, payments and a messenger, which answer the same to everybody. */
export interface VendorServer {
  readonly url: string
  /** The event that says that this payment was made, and the signature over it. */
  paid(intentId: string): { readonly event: string; readonly signature: string }
  /** Resolves with the text of a message of Telegram once it is sent to this chat. */
  told(chat: number): Promise<string>
  close(): void
}

const words = ['Well', ', ', 'hello', '.']
const rows = Array.from({ length: 500 }, (_, nth) => ({ Id: nth, City: `City ${nth}` }))

const asEvents = (events: readonly unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const streams = {
  '/v1/chat/completions': `${asEvents(words.map((content) => ({ choices: [{ delta: { content } }] })))}data: [DONE]\n\n`,
  '/v1/chat-messages': asEvents([
    ...words.map((answer) => ({ event: 'message', answer, conversation_id: 'c-1' })),
    { event: 'message_end', metadata: {} },
  ]),
} as const

export async function startVendorServer(): Promise<VendorServer> {
  const references: string[] = []
  const openIntent = (form: string) => {
    references.push(new URLSearchParams(form).get('metadata[reference]') ?? '')
    const id = `pi_${references.length - 1}`
    return { id, client_secret: `${id}_secret`, status: 'requires_payment_method' }
  }
  const waiting = new Map<number, (text: string) => void>()
  const show = ({ chat_id, text }: { chat_id: string; text: string }) => {
    waiting.get(Number(chat_id))?.(text)
    waiting.delete(Number(chat_id))
    return { ok: true, result: { message_id: 1 } }
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://vendor')
    const body = await text(request)
    if (pathname in streams)
      response.setHeader('content-type', 'text/event-stream').end(streams[pathname as keyof typeof streams])
    else if (pathname.endsWith('/sendMessage')) response.end(JSON.stringify(show(JSON.parse(body))))
    else
      response.end(JSON.stringify(pathname.endsWith('/payment_intents') ? openIntent(body) : { list: rows }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    paid(id) {
      const metadata = { reference: references[Number(id.slice('pi_'.length))] }
      const object = { id, status: 'succeeded', currency: 'eur', amount_received: 1999, metadata }
      const event = JSON.stringify({ type: 'payment_intent.succeeded', data: { object } })
      return { event, signature: signEvent(event, Date.now()) }
    },
    told: (chat) => new Promise((resolve) => waiting.set(chat, resolve)),
    close: () => void server.close(),
  }
}
