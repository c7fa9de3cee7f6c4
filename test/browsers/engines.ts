import { chromium } from 'playwright-core'
import puppeteer, { type ElementHandle, type Keyboard, type KeyInput } from 'puppeteer-core'
import { complaintsOf, findInstalled, installedChromium } from './chromium.ts'
import { actProvider, answerOfProvider, type Providers } from './providers.ts'

/** A document, in the page or in a frame of it. */
interface Document {
  url(): string
  evaluate(script: string): Promise<unknown>
}

/** A page in either engine, as far as a person reaches it: by keys and by fingers. */
export interface Driven extends Document {
  readonly keyboard: Readonly<Record<'press' | 'type', (keys: string) => Promise<void>>>
  readonly touchscreen: { tap(x: number, y: number): Promise<void> }
  frames(): readonly Document[]
  goto(address: string): Promise<unknown>
}

export interface OpenedPage {
  readonly page: Driven
  readonly complaints: readonly string[]
  /** Chooses a file in the dialog of the system, which no page can open by itself. */
  attach(path: string): Promise<void>
  close(): Promise<void>
}

export interface Engine {
  readonly name: string
  open(): Promise<{
    /** Opens an empty page as if nobody had been there. */
    openPage(size: { width: number; height: number; hasTouch: boolean }): Promise<OpenedPage>
    close(): Promise<void>
  }>
}

/** Both engines where they are installed. Stock Firefox speaks WebDriver BiDi alone, and Playwright needs more of it. */
export function installedEngines(what: string, providers: () => Providers): readonly Engine[] {
  const firefoxes = findInstalled('firefox', ['/usr/bin/firefox-esr', '/usr/bin/firefox'], what)
  return [
    ...installedChromium(what).map((path) => chromiumAt(path, providers)),
    ...firefoxes.map((path) => firefoxAt(path, providers)),
  ]
}

const chromiumAt = (executablePath: string, providers: () => Providers): Engine => ({
  name: 'Chromium',
  async open() {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    return {
      async openPage({ hasTouch, ...viewport }) {
        const context = await browser.newContext({ viewport, hasTouch, reducedMotion: 'reduce' })
        await actProvider(context, providers())
        const page = await context.newPage()
        return {
          page,
          complaints: complaintsOf(page),
          async attach(path) {
            const frame = page.frames().find((one) => one.url().includes('/f/')) ?? page.mainFrame()
            await frame.locator('.ask .drop input[type=file]').setInputFiles(path)
          },
          close: () => context.close(),
        }
      },
      close: () => browser.close(),
    }
  },
})

const firefoxAt = (executablePath: string, providers: () => Providers): Engine => ({
  name: 'Firefox',
  async open() {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      // Motion is less by the system alone, and a window that nobody sees has no pointer by itself: here a fine one that hovers.
      extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'ui.primaryPointerCapabilities': 6 },
    })
    return {
      async openPage({ hasTouch: _, ...viewport }) {
        const context = await browser.createBrowserContext()
        const page = await context.newPage()
        await page.setViewport(viewport)
        const complaints: string[] = []
        page.on('pageerror', (error) => {
          // Firefox alone asks sites for an icon that they do not name.
          if (!String(error).includes('/favicon.ico')) complaints.push(String(error))
        })
        await page.setRequestInterception(true)
        page.on('request', (request) => {
          const answer = answerOfProvider(request.url(), request.method(), providers())
          void (answer ? request.respond(answer) : request.continue())
        })
        return {
          page: Object.assign(page as unknown as Driven, { keyboard: keyboardOf(page) }),
          complaints,
          async attach(path) {
            const frame = page.frames().find((one) => one.url().includes('/f/')) ?? page.mainFrame()
            const field = await frame.$('pierce/.ask .drop input[type=file]')
            await (field as ElementHandle<never> | null)?.uploadFile(path)
          },
          close: () => context.close(),
        }
      },
      close: () => browser.close(),
    }
  },
})

/** Keys that are pressed together are joined by +, as Playwright has it. */
const keyboardOf = ({ keyboard }: { readonly keyboard: Keyboard }): Driven['keyboard'] => ({
  type: (keys) => keyboard.type(keys),
  async press(keys) {
    const [last, ...held] = keys.split('+').reverse() as KeyInput[]
    for (const key of held) await keyboard.down(key)
    if (last) await keyboard.press(last)
    for (const key of held) await keyboard.up(key)
  },
})
