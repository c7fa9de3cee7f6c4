import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { BrowserContext } from 'playwright-core'

/** The servers of a model and of payments, which say things when a test wants it. */
export interface Providers {
  /** Accounts with them, for `CREDENTIALS_FILE`. */
  readonly accounts: readonly object[]
  /** Sends what the model still has to say to all who listen. */
  finishSpeaking(): void
  /** Whether the visitor has paid. */
  isPaid: boolean
  close(): void
}

/** Starts them on this machine. The model says "Well", and the rest once it is told to. */
export async function startProviders(): Promise<Providers> {
  const listeners: ServerResponse[] = []
  const speak = (response: ServerResponse, content: string) =>
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/v1/payment_intents')) {
      request.resume()
      const state = providers.isPaid
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
  const providers: Providers = {
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
    isPaid: false,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return providers
}

/** A script in the place of the provider's, with a form that declines every card but 4242. */
const script = `
const ask = async (path, method = 'GET') => (await fetch('https://api.stripe.com/v1/payment_intents/' + path, { method })).json()
window.Stripe = () => ({
  retrievePaymentIntent: async (secret) => ({ paymentIntent: await ask(secret.split('_secret')[0]) }),
  elements: ({ clientSecret }) => ({
    clientSecret,
    create: () => {
      const listeners = {}
      return {
        on: (event, listen) => { listeners[event] = listen },
        mount(place) {
          const field = document.createElement('input')
          field.ariaLabel = 'Card'
          place.append(field)
          listeners.ready()
        },
      }
    },
  }),
  async confirmPayment({ elements, redirect, confirmParams }) {
    if (redirect !== 'if_required' || !confirmParams.payment_method_data.billing_details.email) throw new Error('options')
    const card = document.querySelector('input').value
    if (card === 'broken') throw new Error('the form is broken')
    if (card !== '4242') return { error: { message: 'Your card was declined.' } }
    return { paymentIntent: await ask(elements.clientSecret.split('_secret')[0] + '/confirm', 'POST') }
  },
})`

/** The answer for an address of the provider of payments that a browser asks; undefined for any other address. */
export function answerOfProvider(address: string, method: string, providers: Providers) {
  const { hostname } = new URL(address)
  if (hostname === 'js.stripe.com') return { status: 200, contentType: 'text/javascript', body: script }
  if (hostname !== 'api.stripe.com') return undefined
  if (method === 'POST') providers.isPaid = true
  return {
    status: 200,
    contentType: 'application/json',
    headers: { 'access-control-allow-origin': '*' },
    body: JSON.stringify({ status: providers.isPaid ? 'succeeded' : 'requires_payment_method' }),
  }
}

/** Answers a browser in the place of that provider. */
export async function actProvider(context: BrowserContext, providers: Providers): Promise<void> {
  await context.route(/^https:\/\/(?:js|api)\.stripe\.com\//, (route) => {
    const request = route.request()
    return route.fulfill(answerOfProvider(request.url(), request.method(), providers))
  })
}
