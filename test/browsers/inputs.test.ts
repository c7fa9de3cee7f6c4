import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { installedChromium } from './chromium.ts'
import { type EmbeddingSite, openEmbeddingSite, strictPolicy } from './embedding-site.ts'
import { type Driven, installedEngines, type OpenedPage } from './engines.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { everyForm } from './page-flows.ts'
import { actProvider, type Providers, startProviders } from './providers.ts'

/** Something that is reached by Tab or by a finger, and what is typed or pressed there. Fingers need no keys. */
interface Step {
  readonly at: string
  readonly type?: string
  readonly keys?: readonly string[]
  /** Whether it stands before what has the focus. */
  readonly isBehind?: true
  /** Where a finger taps instead. */
  readonly tap?: string
  /** What the picker of the system would leave in the field: it opens outside of the page. */
  readonly pick?: string
}

const send: Step = { at: '.ask [type=submit]', keys: ['Enter'] }
const typed = (text: string): readonly Step[] => [{ at: '.composer textarea', type: text }, send]
const second = (kind: string): readonly Step[] => [
  { at: `.ask ${kind}`, keys: ['ArrowDown', 'Enter'], tap: `.ask ${kind}:nth-of-type(2)` },
]
const firstDate = '.ask .labelled:first-of-type input'
const lastDate = '.ask .labelled:last-of-type input'

/** How each form is answered, by the id of its block, and how the answer reads. */
const forms: Readonly<Record<string, { readonly steps: readonly Step[]; readonly said: RegExp }>> = {
  text: { steps: typed('Ada'), said: /Ada/ },
  long: { steps: typed('A long story'), said: /A long story/ },
  number: { steps: typed('7'), said: /7/ },
  email: { steps: typed('ada@shop.example'), said: /ada@shop/ },
  url: { steps: typed('https://shop.example'), said: /shop\.example/ },
  phone: { steps: typed('020 7946 0018'), said: /\+442079460018/ },
  date: { steps: [{ at: firstDate, type: '03042027', pick: '2027-03-04' }, send], said: /2027/ },
  range: {
    steps: [
      { at: firstDate, type: '03042027', pick: '2027-03-04' },
      { at: lastDate, type: '03052027', pick: '2027-03-05' },
      send,
    ],
    said: /2027.*2027/s,
  },
  time: { steps: [{ at: '.ask input[type=time]', type: '1030AM', pick: '10:30' }, send], said: /10:30/ },
  rating: {
    steps: [
      { at: '.ask .step', keys: ['ArrowDown', 'ArrowDown', 'Enter'], tap: '.ask .step:nth-child(3)' },
      send,
    ],
    said: /2/,
  },
  stars: {
    steps: [{ at: '.ask .star', keys: ['End', 'Enter'], tap: '.ask .star:last-child' }, send],
    said: /5/,
  },
  choice: { steps: second('.choice'), said: /Blue/ },
  several: {
    steps: [
      { at: '.ask .choice', keys: ['Enter', 'ArrowDown', 'Enter'] },
      { at: '.ask .choice[data-itemid="c-Pepper"]', keys: [] },
      { at: '.ask .send', keys: ['Enter'] },
    ],
    said: /Pepper/,
  },
  pictures: { steps: second('.choice'), said: /Dog/ },
  cards: { steps: [{ at: '.ask .card button', keys: ['Enter'] }], said: /Take it|Bike/ },
  file: { steps: [{ at: '.ask .drop input' }, { at: '.ask .send', keys: ['Enter'] }], said: /note\.pdf/ },
  payment: {
    steps: [
      { at: '.ask iframe', isBehind: true, type: '4242' },
      { at: '.ask .payment button', keys: ['Enter'] },
    ],
    said: /Paid|Bezahlt|الدفع/,
  },
}

const languages = { en: 'Hello', ar: 'مرحبًا بكم', de: 'Guten Tag' }

const phone = { width: 390, height: 700 }
const desktop = { width: 1280, height: 800 }

/** Each language in each layout, answered in each way. */
const ways = (Object.keys(languages) as (keyof typeof languages)[]).flatMap((language) =>
  (['desktop', 'phone', 'widget'] as const).flatMap((layout) =>
    (['keyboard', 'touch'] as const).map((by) => ({ language, layout, by })),
  ),
)

const isWide = ({ layout, by }: (typeof ways)[number]) =>
  layout === 'desktop' || (layout === 'widget' && by === 'keyboard')

let pages: OpenedPages
let site: EmbeddingSite
let providers: Providers
let folder: string

beforeAll(async () => {
  const [executablePath] = installedChromium('all inputs')
  if (executablePath === undefined) return
  providers = await startProviders()
  site = await openEmbeddingSite()
  folder = await mkdtemp(join(tmpdir(), 'inputs-'))
  await writeFile(join(folder, 'accounts.json'), JSON.stringify(providers.accounts))
  await writeFile(join(folder, 'note.pdf'), '%PDF-1.4')
  const flows = Object.entries(languages).map(([language, greeting]) =>
    everyForm(language, greeting, [site.address]),
  )
  pages = await openPages(executablePath, flows, { CREDENTIALS_FILE: join(folder, 'accounts.json') })
})

afterAll(async () => {
  await pages?.close()
  await site?.close()
  providers?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe.each(installedEngines('all inputs', () => providers))('all inputs, in $name', (engine) => {
  let browser: Awaited<ReturnType<typeof engine.open>>
  beforeAll(async () => {
    browser = await engine.open()
  })
  afterAll(() => browser?.close())

  // In Firefox, which takes longer, each layout speaks one language.
  const layouts = { en: 'desktop', ar: 'phone', de: 'widget' }
  const own = ways.filter((way) => engine.name === 'Chromium' || way.layout === layouts[way.language])
  it.each(own)('are answered in $language, in the $layout, by $by alone', async (way) => {
    const opened = await browser.openPage({
      ...(isWide(way) ? desktop : phone),
      hasTouch: way.by === 'touch',
    })
    onTestFinished(() => opened.close())
    await openChat(opened.page, way)
    await answerAll(opened, way.by)
    expect(await read(opened.page, spoken)).toBe(way.language === 'ar' ? 'ar rtl' : `${way.language} ltr`)
    expect(opened.complaints).toEqual([])
  })
})

describe.each(installedChromium('all inputs'))('all inputs, in %s', () => {
  it.each([
    { language: 'en', layout: 'phone', size: { width: 320, height: 256 }, forcedColors: 'none' },
    { language: 'ar', layout: 'desktop', size: desktop, forcedColors: 'active' },
    { language: 'de', layout: 'widget', size: desktop, forcedColors: 'none' },
  ] as const)(
    'have nothing in the way of anybody, in $language, in the $layout, forced colours $forcedColors',
    async ({ size: viewport, forcedColors, ...way }) => {
      const { page } = await pages.open('/health', { viewport, forcedColors, bypassCSP: true })
      await actProvider(page.context(), providers)
      await openChat(page, { ...way, by: 'keyboard' })
      const frame = () => page.frames().find((one) => one.url().includes('/f/')) ?? page.mainFrame()
      await answerAll(drivenBy(page), 'keyboard', async () => {
        expect(await flaws(frame())).toEqual([])
        // What has to be read is not to be scrolled in two directions (a phone, or a zoom of 400 %).
        const tooWide = `${chat}.querySelector('.scroll').scrollWidth - ${chat}.querySelector('.scroll').clientWidth`
        expect(await read(page, tooWide)).toBe(0)
      })
      expect(await flaws(frame())).toEqual([])
    },
  )

  it.each([
    { layout: 'desktop', viewport: desktop },
    { layout: 'phone', viewport: phone },
    { layout: 'widget', viewport: desktop },
  ] as const)('look in Arabic as in a mirror, in the $layout', async ({ layout, viewport }) => {
    const { page } = await pages.open('/health', { viewport, bypassCSP: true })
    await actProvider(page.context(), providers)
    await openChat(page, { language: 'ar', layout, by: 'keyboard' })
    const shown = layout === 'widget' ? page.locator('flow-chat iframe') : page.locator('body')
    const take = async (direction: 'rtl' | 'ltr') => {
      await read(page, turnTo(direction))
      return shown.screenshot()
    }
    await answerAll(drivenBy(page), 'keyboard', async () => {
      // What somebody says begins on the side of its own first letter.
      expect(await read(page, `${chat}.querySelector('.host').matches(':dir(rtl)')`)).toBe(true)
      expect(await read(page, `${chat}.querySelector('.guest')?.matches(':dir(rtl)') ?? false`)).toBe(false)
      const field = `getComputedStyle(${chat}.querySelector('.composer textarea')).direction`
      expect(await read(page, field)).toBe('rtl')
      // What is loaded later, as the form of a payment, may come between two pictures.
      const difference = async () => {
        const [right, left] = [await take('rtl'), await take('ltr')]
        await read(page, turnTo('auto'))
        const { plain, mirrored } = (await page.evaluate(compare(right, left))) as Record<string, number>
        return Number(mirrored) / Number(plain)
      }
      await expect.poll(difference, soon).toBeLessThan(0.06)
    })
  })
})

/** The language of a document, and its direction. */
const spoken = '[document.documentElement.lang, document.documentElement.dir].join(" ")'

/**
 * Script that has boxes stand for texts, whose letters have no mirror, and all be read from the right, as the page says,
 * or from the left, as if it did not; or all again as it was. Forms of a provider are turned by the provider.
 */
const turnTo = (direction: 'rtl' | 'ltr' | 'auto') => `{
  const root = ${chat}
  const style = root.querySelector('#boxes') ?? document.createElement('style')
  style.id = 'boxes'
  style.textContent = '${direction}' === 'auto' ? '' : '* { color: transparent !important; caret-color: transparent } iframe { visibility: hidden }'
  root.append(style)
  const whole = [document.documentElement, root.querySelector('.chat')]
  for (const one of whole) {
    if ('${direction}' === 'rtl') one.dataset.dir = one.dir
    one.dir = '${direction}' === 'ltr' ? '' : one.dataset.dir
  }
  for (const one of root.querySelectorAll('[dir=auto], .turned')) {
    one.classList.add('turned')
    one.dir = '${direction}'
  }
}`

/** Script that tells the shares of pixels that differ between two pictures: as they are, and with one in a mirror. */
const compare = (right: Buffer, left: Buffer) => `(async () => {
  const read = async (data, isMirrored) => {
    const bytes = Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes]))
    const [width, height] = [Math.ceil(picture.width / 4), Math.ceil(picture.height / 4)]
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    if (isMirrored) canvas.setTransform(-1, 0, 0, 1, width, 0)
    canvas.drawImage(picture, 0, 0, width, height)
    return canvas.getImageData(0, 0, width, height).data
  }
  const [right, left] = ['${right.toString('base64')}', '${left.toString('base64')}']
  const one = await read(right, false)
  const differ = (other) => other.filter((value, at) => Math.abs(value - one[at]) > 32).length / one.length
  return { plain: differ(await read(left, false)), mirrored: differ(await read(left, true)) }
})()`

const drivenBy = (page: Page): OpenedPage => ({
  page,
  complaints: [],
  attach: (path) => (documentOf(page) as Page).locator('.ask .drop input[type=file]').setInputFiles(path),
  close: async () => undefined,
})

/** The conversation in its document, for scripts. */
const chat = `document.querySelector('#chat').shadowRoot`

const documentOf = (page: Driven) => page.frames().find((frame) => frame.url().includes('/f/')) ?? page

const read = async (page: Driven, script: string) =>
  documentOf(page)
    .evaluate(script)
    .catch(() => undefined)

async function openChat(
  page: Driven,
  { language, layout, by }: Pick<(typeof ways)[number], 'language' | 'layout' | 'by'>,
): Promise<void> {
  const { address } = pages.service
  if (layout !== 'widget') {
    await page.goto(`${address}/f/forms-${language}`)
    return
  }
  const line = `<script src="${address}/embed.js" data-flow="forms-${language}" async></script>`
  await page.goto(site.show(line, strictPolicy(address)))
  const launcher = `document.querySelector('flow-chat')?.shadowRoot.querySelector('.launcher')`
  await expect.poll(() => page.evaluate(`Boolean(${launcher})`)).toBe(true)
  if (by === 'touch') return page.touchscreen.tap(...(await middleOf(page, launcher)))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

async function answerAll(
  { page, attach }: OpenedPage,
  by: 'keyboard' | 'touch',
  check?: () => Promise<void>,
): Promise<void> {
  providers.isPaid = false
  for (const [id, { steps, said }] of Object.entries(forms)) {
    const asked = `(${chat}.querySelector('.ask')?.dataset.blockid ?? ${chat}.querySelector('.log').lastChild.innerText)`
    await expect.poll(() => read(page, asked), { ...soon, message: id }).toBe(id)
    // What has to be paid can't be answered before its form has come.
    if (by === 'keyboard' && id !== 'payment')
      await expect
        .poll(() => read(page, `Boolean(${chat}.activeElement?.closest('.ask'))`), {
          ...soon,
          message: `focus: ${id}`,
        })
        .toBe(true)
    await check?.()
    for (const step of steps) {
      const at = (by === 'touch' && step.tap) || step.at
      await expect.poll(() => read(page, isReady(at)), { ...soon, message: `${id}: ${at}` }).toBe(true)
      await (by === 'touch' ? tapStep(page, step) : pressStep(page, step))
      if (step.at.endsWith('.drop input')) await attach(join(folder, 'note.pdf'))
    }
    const last = `[...${chat}.querySelectorAll('.guest')].at(-1)?.innerText`
    await expect.poll(() => read(page, last), { ...soon, message: id }).toMatch(said)
  }
  await expect.poll(() => read(page, `Boolean(${chat}.querySelector('.over'))`), soon).toBe(true)
}

const soon = { timeout: 8_000, interval: 10 }

/** Script that says whether something waits for a visitor, and the form in a frame has come. */
const isReady = (at: string) =>
  `Boolean(${chat}.querySelector('${at}:enabled, ${at}:not(button)')
    && !${chat}.querySelector('.payment button:disabled') && ${chat}.querySelector('.payment iframe')?.clientHeight !== 0)`

const focused = `${chat}.activeElement?.outerHTML.slice(0, 200) ?? document.activeElement?.outerHTML.slice(0, 200)`

/** Presses Tab until the focus is there. */
async function pressStep(page: Driven, { at, isBehind, type, keys = [] }: Step): Promise<void> {
  const isThere = `Boolean(${chat}.activeElement?.matches('${at}'))`
  for (let presses = 0; !(await read(page, isThere)); presses += 1) {
    if (presses > 40) throw new Error(`Tab does not lead to ${at}, but to ${await read(page, focused)}`)
    await page.keyboard.press(isBehind ? 'Shift+Tab' : 'Tab')
  }
  if (type !== undefined) await page.keyboard.type(type)
  for (const key of keys) await page.keyboard.press(key)
}

async function tapStep(page: Driven, { at, type, pick, tap = at }: Step): Promise<void> {
  const element = `${chat}.querySelector('${tap}')`
  if (tap.endsWith('.drop input')) return
  if (pick !== undefined) {
    await read(page, setTo(element, pick))
    return
  }
  const isHit = `globalThis.hit === true || ${chat}.activeElement?.matches('iframe')`
  // Who misses something, as it moved under the finger, taps again.
  await vi.waitFor(async () => {
    await read(
      page,
      `${element}.addEventListener('click', () => { globalThis.hit = true }); globalThis.hit = false`,
    )
    await page.touchscreen.tap(...(await middleOf(page, element)))
    await expect.poll(() => read(page, isHit), { timeout: 2_000, interval: 10 }).toBe(true)
  }, soon)
  if (type !== undefined) await page.keyboard.type(type)
}

/** Script that leaves a value as the picker of the system does. */
const setTo = (element: string, value: string) =>
  `${element}.value = '${value}'; ${element}.dispatchEvent(new Event('input', { bubbles: true }))`

/** Middle of an element in the window, wherever its frame is. */
async function middleOf(page: Driven, element: string): Promise<[number, number]> {
  const middle = (one: string) =>
    `(() => { const e = ${one}; e.scrollIntoView({ block: 'nearest' }); const r = e.getBoundingClientRect(); const isFrame = e.matches('.payment iframe'); return [r.x + (isFrame ? 30 : r.width / 2), r.y + (isFrame ? 14 : r.height / 2), r.x, r.y] })()`
  const document = element.startsWith(chat) ? documentOf(page) : page
  const [x = 0, y = 0] = (await document.evaluate(middle(element))) as number[]
  if (document === page || page.frames()[0] === document) return [x, y]
  const frame = `document.querySelector('flow-chat').shadowRoot.querySelector('iframe')`
  const [, , left = 0, top = 0] = (await page.evaluate(middle(frame))) as number[]
  return [left + x, top + y]
}
