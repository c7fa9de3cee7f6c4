import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The servers of a model and of payments, which say things when a test wants it. */
export interface Providers {
  /** Accounts with them, for `CREDENTIALS_FILE`. */
  readonly accounts: readonly object[]
  /** Sends what the model still has to say to all who listen. */
  finishSpeaking(): void
  /** The visitor pays. */
  pay(): void
  close(): void
}

/** Starts them on this machine. The model says "Well", and the rest once it is told to. */
export async function startProviders(): Promise<Providers> {
  const listeners: ServerResponse[] = []
  let isPaid = false
  const speak = (response: ServerResponse, content: string) =>
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/v1/payment_intents')) {
      request.resume()
      const state = isPaid
        ? { status: 'succeeded', amount_received: 1250 }
        : { status: 'requires_payment_method', amount_received: 0 }
      const intent = { id: 'pi_1', client_secret: 'pi_1_secret_2', currency: 'eur', amount: 1250, ...state }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(intent))
      return
    }
    await json(request)
    response.setHeader('content-type', 'text/event-stream')
    speak(response, 'Well')
    listeners.push(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = { secretKey: 'sk_live_1', publicKey: 'pk_live_1' }
  return {
    accounts: [
      { id: 'model', type: 'openai', data: { apiKey: 'k-1', baseUrl: `${url}/v1` } },
      { id: 'shop', type: 'stripe', data: { live: keys, baseUrl: url } },
    ],
    finishSpeaking() {
      for (const response of listeners.splice(0)) {
        speak(response, ', hello.')
        response.end('data: [DONE]\n\n')
      }
    },
    pay() {
      isPaid = true
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
