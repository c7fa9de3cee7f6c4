import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { widgetBundle } from '../test/browsers/widgets/shop.ts'
import type { Json } from '../test/support/json.ts'
import { staticFlow } from './flows/published.ts'
import { median, rounded } from './support/figures.ts'
import { startService } from './support/service.ts'

// How soon a visitor on a slow network reads something: `npm run bench:widgets`, as docs/performance.md tells.

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })

/** 400 kbit/s, and 400 ms until an answer begins. */
const slow = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 }

const version = '0.10.7'
const [group = {}] = staticFlow['groups'] as readonly Json[]
const blocks = group['blocks'] as readonly Json[]
/** Nothing of elsewhere, which nobody reaches here, and no pauses. */
const flow: Json = {
  ...staticFlow,
  groups: [{ ...group, blocks: blocks.filter(({ type }) => type !== 'image') }],
  theme: {},
  settings: { typingEmulation: { enabled: false } },
}
const id = flow['publicId']

const service = await startService(
  { name: 'widgets', flows: [flow], variables: { COMPAT_API: 'on' }, prepareLoad: () => Promise.reject() },
  { node: process.execPath, build: { folder: '.' } },
)
const bundle = brotliCompressSync(widgetBundle(version))
const bodies: Readonly<Record<string, string>> = {
  '/ours': `<script src="${service.address}/embed.js" data-flow="${id}" data-mode="inline" async></script>`,
  '/theirs': `<script type="module">
import Typebot from '/bundle'
Typebot.initStandard(${JSON.stringify({ typebot: id, apiHost: service.address })})
</script>
<typebot-standard style="width: 100%; height: 600px"></typebot-standard>`,
}
const shop = createServer(({ url = '' }, response) => {
  if (url === '/bundle')
    response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'br' }).end(bundle)
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${bodies[url] ?? ''}`)
})
shop.listen(0, '127.0.0.1')
await once(shop, 'listening')
const shopAddress = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`

interface Round {
  readonly ms: number
  readonly scriptBytes: number
}

/** Where each is shown. */
const subjects: Readonly<Record<string, string>> = {
  [`their widget, ${version}`]: `${shopAddress}/theirs`,
  'embed.js, inline': `${shopAddress}/ours`,
  'the page at /f': `${service.address}/f/${id}`,
}

/** Looks in the page: whoever waits for an element of a frame from outside asks twice a second. */
const tellFirstBubble = `
  const looking = setInterval(() => {
    const hosts = [...document.querySelectorAll('typebot-standard, #chat')]
    const bubbles = hosts.map(({ shadowRoot }) => shadowRoot?.querySelector('.typebot-host-bubble'))
    if (!bubbles.some((bubble) => bubble?.checkVisibility() && /\\w/.test(bubble.textContent))) return
    clearInterval(looking)
    tell(Date.now())
  }, 5)`

async function visit(browser: Browser, url: string): Promise<Round> {
  const context = await browser.newContext()
  const firstBubble = new Promise<number>((resolve) => {
    void context.exposeFunction('tell', resolve)
  })
  await context.addInitScript({ content: tellFirstBubble })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', slow)
  const scripts = new Set<string>()
  let scriptBytes = 0
  devTools.on(
    'Network.responseReceived',
    ({ type, requestId }) => type === 'Script' && scripts.add(requestId),
  )
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength
  })
  const begun = Date.now()
  await page.goto(url, { waitUntil: 'commit' })
  const ms = (await firstBubble) - begun
  await context.close()
  return { ms, scriptBytes }
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
const rounds: Record<string, Round[]> = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [name, url] of Object.entries(subjects)) rounds[name]?.push(await visit(browser, url))
await browser.close()
await service.stop()
shop.close()

const [theirs = []] = Object.values(rounds)
const rows = Object.entries(rounds).map(([name, own]) => {
  const ratio = median(own.map(({ ms }, index) => ms / (theirs[index]?.ms ?? Number.NaN)))
  const { scriptBytes = 0 } = own[0] ?? {}
  return [
    name,
    {
      'first bubble, ms': rounded(median(own.map(({ ms }) => ms))),
      '× theirs': rounded(ratio),
      'JS, KB': rounded(scriptBytes / 1000),
    },
  ]
})
console.table(Object.fromEntries(rows))
