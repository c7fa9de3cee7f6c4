import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

const modules = join(import.meta.dirname, '../../../node_modules')

/** The bundle that pages load, as it was published. */
export function widgetBundle(version: string): string {
  return readFileSync(join(modules, `typebot-js-${version}/dist/web.js`), 'utf8')
}

/** A site that embeds widgets, with all that flows show and a model that they ask. */
export interface Shop {
  readonly address: string
  /** The address of a page with a widget. */
  pageOf(version: string, flow: string): string
  /** Whose widgets the pages show: the address of a service. */
  visit(service: string): void
  /** The model says the rest of its answer to a question that is the name of a version, once this is called. */
  finishAnswer(version: string): void
  close(): Promise<void>
}

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`

export async function openShop(): Promise<Shop> {
  let service = ''
  const held = new Map<string, () => void>()
  const provider = openProvider()
  const shows: Readonly<Record<string, (response: ServerResponse, rest: readonly string[]) => void>> = {
    widget: (response, [version = '']) => reply(response, 'text/javascript', widgetBundle(version)),
    page: (response, [version = '', flow = '']) =>
      reply(response, 'text/html', pageWith({ version, flow, service })),
    picture: (response) => reply(response, 'image/svg+xml', picture),
    film: (response) => reply(response, 'audio/wav', silence()),
    sound: (response) => reply(response, 'audio/wav', silence()),
    frame: (response) => reply(response, 'text/html', 'A frame'),
    pay: (response, [intent = '']) => {
      provider.pay(intent)
      reply(response, 'text/plain', 'Paid')
    },
    elsewhere: (response) => reply(response, 'text/html', 'Elsewhere'),
  }
  const server = createServer((request, response) => {
    const { url = '' } = request
    const [, name = '', ...rest] = url.split('/')
    if (url.startsWith(intents)) {
      request.resume()
      return reply(response, 'application/json', JSON.stringify(provider.intentAt(url)))
    }
    if (name === 'v1') return void answerAsModel(request, response, held)
    const show = shows[name]
    if (show) show(response, rest)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    pageOf: (version, flow) => `${address}/page/${version}/${flow}`,
    visit(of) {
      service = of
    },
    finishAnswer: (version) => held.get(version)?.(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function reply(response: ServerResponse, contentType: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'max-age=600' }).end(body)
}

/** Embeds a widget as its guide says. Some versions are told by the page where webhooks come in, later ones by `wsHost`. */
function pageWith({
  version,
  flow,
  service,
}: Readonly<Record<'version' | 'flow' | 'service', string>>): string {
  const { host } = new URL(service)
  const given = { typebot: flow, apiHost: service, wsHost: host, prefilledVariables: { Widget: version } }
  return `<!doctype html><meta charset="utf-8">
<script>
const wait = setTimeout, delays = []
window.setTimeout = (callback, delay, ...rest) => wait(callback, delays[delays.length] = delay, ...rest)
window.__ENV = ${JSON.stringify({ NEXT_PUBLIC_PARTYKIT_HOST: host })}
</script>
<script type="module">
import Typebot from '/widget/${version}'
window.widget = Typebot
Typebot.initStandard(${JSON.stringify(given)})
</script>
<typebot-standard style="width: 100%; height: 600px"></typebot-standard>`
}

/** A second of nothing to hear. */
function silence(): Buffer {
  const [rate, size] = [8000, 8000]
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + size, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(size, 40)
  return Buffer.concat([header, Buffer.alloc(size, 128)])
}

const intents = '/v1/payment_intents'

/** The provider of payments, which asks nobody for money. */
function openProvider() {
  const paid = new Set<string>()
  let opened = 0
  return {
    pay: (id: string) => void paid.add(id),
    /** Opens one at the address of all, else says what has become of one. */
    intentAt(url: string) {
      if (url === intents) opened += 1
      const id = url === intents ? `pi_${opened}` : url.slice(intents.length + 1)
      const state = paid.has(id)
        ? { status: 'succeeded', amount_received: 1250 }
        : { status: 'requires_payment_method', amount_received: 0 }
      return { id, client_secret: `${id}_secret`, currency: 'eur', amount: 1250, ...state }
    },
  }
}

/** What stands in for the script of the provider: its form, and a visitor who pays what it shows. */
export const providerScript = (shop: string) => `window.Stripe = () => ({
  _registerWrapper() {},
  registerAppInfo() {},
  elements: ({ clientSecret }) => ({
    clientSecret,
    create: () => ({
      on: (event, call) => event === 'ready' && setTimeout(call, 0),
      mount: (place) => (document.querySelector(place).textContent = 'Form of the provider'),
    }),
  }),
  async confirmPayment({ elements }) {
    await fetch('${shop}/pay/' + elements.clientSecret.replace('_secret', ''))
    return { paymentIntent: { status: 'succeeded' } }
  },
})`

interface Asked {
  readonly stream?: boolean
  readonly messages: readonly { readonly content: string }[]
}

async function answerAsModel(
  request: IncomingMessage,
  response: ServerResponse,
  held: Map<string, () => void>,
): Promise<void> {
  const { stream, messages } = (await json(request)) as Asked
  if (!stream) {
    const message = { content: 'One two' }
    return reply(response, 'application/json', JSON.stringify({ choices: [{ message }] }))
  }
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write(chunk({ delta: { content: 'One ' } }))
  const [{ content } = { content: '' }] = messages
  if (/^[\d.]+$/.test(content)) await new Promise<void>((resolve) => held.set(content, resolve))
  response.end(`${chunk({ delta: { content: 'two' }, finish_reason: 'stop' })}data: [DONE]\n\n`)
}
