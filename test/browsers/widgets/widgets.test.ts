import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import { installedChromium } from '../chromium.ts'
import { widgetFlows } from './flows.ts'
import { type WidgetFunction, widgetFunctions } from './functions.ts'
import { openShop, providerScript, type Shop, widgetBundle } from './shop.ts'
import { type Cell, widgetSection, withSection } from './table.ts'
import { shortcomings, widgetVersions } from './versions.ts'

const docs = join(import.meta.dirname, '../../../docs/moving.md')
const adminToken = 'operator-1'

/** Fonts, films and forms of other sites are none of what is shown here. */
const args = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']

/** How long a page may take, in milliseconds: much where it is to work, and little where it is not. */
const [patience, impatience] = [40_000, 4_000]

describe.each(installedChromium('what widgets do'))('widgets, in %s', (executablePath) => {
  let browser: Browser
  let service: BuiltService
  let shop: Shop
  let folder: string
  const found = new Map(widgetVersions.map((version) => [version as string, new Map<string, Cell>()]))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'widgets-'))
    const flows = join(folder, 'flows')
    await mkdir(flows)
    shop = await openShop()
    for (const flow of widgetFlows(shop.address))
      await writeFile(join(flows, `${flow['id']}.json`), JSON.stringify(flow))
    const model = { id: 'model', type: 'openai', data: { apiKey: 'k', baseUrl: `${shop.address}/v1` } }
    const keys = { secretKey: 'sk_live_1', publicKey: 'pk_live_1' }
    const provider = { id: 'shop', type: 'stripe', data: { live: keys, baseUrl: shop.address } }
    await writeFile(join(folder, 'accounts.json'), JSON.stringify([model, provider]))
    service = await startBuiltService({
      COMPAT_API: 'on',
      FLOWS_DIR: flows,
      UPLOADS_DIR: join(folder, 'uploads'),
      CREDENTIALS_FILE: join(folder, 'accounts.json'),
      OUTBOUND_ALLOW: '127.0.0.1',
      ADMIN_TOKEN: adminToken,
      WEBHOOK_WAIT_SECONDS: '',
    })
    shop.visit(service.address)
    browser = await chromium.launch({ executablePath, args })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await shop?.close()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  async function callWebhook(resultId: string, payload: object): Promise<void> {
    const path = `/api/v1/typebots/webhook/blocks/hook/results/${resultId}/executeWebhook`
    await fetch(service.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
  }

  async function play(page: Page, version: string, { play }: WidgetFunction): Promise<void> {
    await play({
      page,
      open: async (flow) => void (await page.goto(shop.pageOf(version, flow))),
      finishAnswer: () => shop.finishAnswer(version),
      callWebhook,
    })
  }

  it.concurrent.each(widgetVersions)('%s does what it knows', { timeout: 300_000 }, async (version) => {
    const cells = found.get(version)
    const bundle = widgetBundle(version)
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 400, height: 600 },
    })
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: providerScript(shop.address) }),
    )
    const page = await context.newPage()
    try {
      for (const known of widgetFunctions) {
        const isKnown = known.word === undefined || bundle.includes(known.word)
        const isShort = shortcomings.some(
          (of) => of.versions.includes(version) && of.functions.includes(known.name),
        )
        page.setDefaultTimeout(isShort ? impatience : patience)
        if (!isKnown) cells?.set(known.name, 'unknown')
        else if (isShort) {
          await expect(play(page, version, known), known.name).rejects.toThrow()
          cells?.set(known.name, 'not done')
        } else {
          await play(page, version, known).catch((error) => {
            throw new Error(`${known.name}: ${error.message}`, { cause: error })
          })
          cells?.set(known.name, 'done')
        }
      }
    } finally {
      await context.close()
    }
  })

  it('are told in the docs as they were found', async () => {
    const page = await readFile(docs, 'utf8')
    const expected = withSection(page, widgetSection(found))
    if (process.env['WIDGETS_TABLE'] === '1') await writeFile(docs, expected)
    else expect(page).toBe(expected)
  })
})
