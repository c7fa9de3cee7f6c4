import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'
import { type BuiltService, startBuiltService } from '../support/built-service.ts'
import type { Json } from '../support/json.ts'
import { complaintsOf } from './chromium.ts'

const root = join(import.meta.dirname, '../..')
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** A service with the sample flows and more, and a browser that looks at its pages. */
export interface OpenedPages {
  readonly service: BuiltService
  /** Where its flows are. */
  readonly folder: string
  /**
   * Opens a page as if nobody had been there, until the test is over: in a context of its own where one is described or
   * the page that tests share is in use, as a context takes longer than most tests.
   */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }>
  close(): Promise<void>
}

/** Starts both. */
export async function openPages(
  executablePath: string,
  flows: readonly Json[],
  variables: Record<string, string> = {},
): Promise<OpenedPages> {
  const base = await mkdtemp(join(tmpdir(), 'pages-'))
  const folder = join(base, 'flows')
  await cp(join(root, 'flows'), folder, { recursive: true })
  for (const flow of flows) await writeFile(join(folder, `${flow['id']}.json`), JSON.stringify(flow))
  const service = await startBuiltService({
    FLOWS_DIR: folder,
    UPLOADS_DIR: join(base, 'uploads'),
    LOG_LEVEL: 'info',
    ...variables,
  })
  const cookie = await enter(service)
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const calm: BrowserContextOptions = { reducedMotion: 'reduce' }
  const shared = await (await browser.newContext(calm)).newPage()
  let isShared = false

  async function openShared() {
    isShared = true
    onTestFinished(async () => {
      await forget(shared, service.address)
      isShared = false
    })
    return shared
  }

  async function openOwn(options: BrowserContextOptions) {
    const context = await browser.newContext({ ...calm, ...options })
    onTestFinished(() => context.close())
    return context.newPage()
  }

  return {
    service,
    folder,
    async open(path, options) {
      const page = await (options || isShared ? openOwn(options ?? {}) : openShared())
      // The pages of authors open for it.
      await page.context().addCookies([cookie])
      const complaints = complaintsOf(page)
      await page.goto(service.address + path)
      return { page, complaints }
    },
    async close() {
      await browser.close()
      await service.stop()
      await rm(base, { recursive: true, force: true })
    },
  }
}

/** Spends the token of the address that a service prints once it listens, and returns the cookie that keeps that. */
async function enter(service: BuiltService) {
  const entrance = await vi.waitUntil(() => /^Open (\S+)$/m.exec(service.output())?.[1], { timeout: 60_000 })
  const { headers } = await fetch(entrance, { redirect: 'manual' })
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
  return { name, value, url: service.address }
}

/** Leaves nothing of a test behind in a page, nor beside it. */
async function forget(page: Page, address: string): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.unrouteAll()
  await page.unrouteAll()
  await page.goto(`${address}/health`)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await context.clearCookies()
}

interface Flaw {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds in the way of people, be it moderate; with the two rules that it leaves out unless it is told. */
export async function flaws(page: Page | Frame): Promise<unknown[]> {
  return listOf(await runAxe(page, ['target-size', 'label-content-name-mismatch']))
}

/** As `flaws`, of what is serious, by the usual rules. */
export async function seriousFlaws(page: Page): Promise<unknown[]> {
  const found = await runAxe(page, [])
  return listOf(found.filter(({ impact }) => impact === 'serious' || impact === 'critical'))
}

const listOf = (found: readonly Flaw[]) => found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])

async function runAxe(page: Page | Frame, more: readonly string[]): Promise<readonly Flaw[]> {
  // Whatever the policy of the page allows.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axe, 'utf8'))
  return page.evaluate(async (ids) => {
    const rules = Object.fromEntries(ids.map((id) => [id, { enabled: true }]))
    // biome-ignore lint/suspicious/noExplicitAny: the page has it by now
    return (await (globalThis as any).axe.run({ rules })).violations as readonly Flaw[]
  }, more)
}
