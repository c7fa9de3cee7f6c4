import type { BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'
import { type EmbeddingSite, openEmbeddingSite, strictPolicy } from './embedding-site.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { acting, embedded } from './page-flows.ts'

describe.each(installedChromium('chats on sites'))('a chat on a site, in %s', (executablePath) => {
  let pages: OpenedPages
  let site: EmbeddingSite

  beforeAll(async () => {
    site = await openEmbeddingSite()
    const flows = [
      embedded('embedded', [site.address]),
      embedded('elsewhere', ['https://shop.example']),
      acting,
    ]
    pages = await openPages(executablePath, flows)
  })

  afterAll(async () => {
    await pages?.close()
    await site?.close()
  })

  /** A page of the site with the line that embeds a flow. */
  const line = (attributes: string) =>
    `<script src="${pages.service.address}/embed.js" ${attributes} async></script>`
  const show = async (body: string, options: BrowserContextOptions = {}) => {
    const { page, complaints } = await pages.open('/health', options)
    await page.goto(site.show(body, strictPolicy(pages.service.address)))
    return { page, complaints, frame: page.frameLocator('flow-chat iframe') }
  }
  const hears = (frame: FrameLocator, text: string) =>
    frame.locator('.bubble.host', { hasText: text }).last().waitFor()
  const say = async (frame: FrameLocator, text: string) => {
    await frame.locator('.composer .field').fill(text)
    await frame.getByRole('button', { name: 'Send' }).click()
  }
  const isThere = (page: Page) =>
    expect.poll(() => page.evaluate('document.querySelector("flow-chat")?.isOpen')).toBeDefined()
  const launcher = (page: Page) => page.locator('flow-chat .launcher')

  it('is a bubble, which loads nothing before it is opened, under a strict policy', async () => {
    const { page, complaints, frame } = await show(line('data-flow="embedded" data-var-first-name="Ada"'))
    const open = page.getByRole('button', { name: 'Open chat', expanded: false })
    await open.waitFor()
    expect(page.frames()).toHaveLength(1)
    await open.click()
    await hears(frame, 'Hello Ada!')
    await page.getByRole('dialog', { name: 'embedded' }).waitFor()
    await say(frame, 'Hi')
    await hears(frame, 'Thank you')
    await page.getByRole('button', { name: 'Close chat', expanded: true }).click()
    await open.waitFor()
    expect(await launcher(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(complaints).toEqual([])
  })

  it.each(['bottom-right', 'bottom-left', 'top-right', 'top-left'])(
    'opens beside its launcher, %s',
    async (position) => {
      const { page } = await show(line(`data-flow="embedded" data-position="${position}" data-open`))
      const dialog = page.getByRole('dialog', { name: 'embedded' })
      await dialog.waitFor()
      const side = position.endsWith('left') ? 'left' : 'right'
      const edge = (element: Locator) => element.evaluate((one, at) => one.getBoundingClientRect()[at], side)
      expect(await edge(dialog)).toBe(await edge(launcher(page)))
    },
  )

  it('is a popup over the page, opened by a button of the site, closed by Escape from within, to where focus was', async () => {
    const { page, complaints, frame } = await show(
      `<button id="help">Help</button>${line('data-flow="embedded" data-mode="popup" data-position="top-left" data-button="#help"')}`,
    )
    await isThere(page)
    const help = page.getByRole('button', { name: 'Help' })
    await help.press('Enter')
    const place = await page.getByRole('dialog', { name: 'embedded' }).boundingBox()
    const { x = 0, y = 0, width = 0, height = 0 } = place ?? {}
    const middle = { width: Math.round(x + width / 2) * 2, height: Math.round(y + height / 2) * 2 }
    expect(middle).toEqual(page.viewportSize())
    await frame.locator('.composer .field').press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await help.evaluate((element) => element.matches(':focus'))).toBe(true)
    await help.press('Enter')
    await frame.locator('.composer .field').fill('Hi')
    await page.keyboard.press('Enter')
    await hears(frame, 'Thank you')
    expect(complaints).toEqual([])
  })

  it.each([
    { attributes: 'data-after="0.1"', act: async () => undefined },
    { attributes: 'data-scroll="50"', act: (page: Page) => page.mouse.wheel(0, 2500) },
    {
      attributes: 'data-exit',
      act: (page: Page) =>
        page.evaluate(
          'document.documentElement.dispatchEvent(new MouseEvent("mouseleave", { clientY: -1 }))',
        ),
    },
  ])('is a popup that opens by itself, once: $attributes', async ({ attributes, act }) => {
    const { page, frame } = await show(
      `${line(`data-flow="embedded" data-mode="popup" ${attributes}`)}${'<p>A shop</p>'.repeat(100)}`,
    )
    await isThere(page)
    await act(page)
    await hears(frame, 'Hello')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.reload()
    await isThere(page)
    await act(page)
    // As long again as it took before.
    await page.waitForTimeout(500)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('stands in the page inline, once it is in sight, and is as high as the conversation', async () => {
    const { page, complaints, frame } = await show(
      `${'<p>A shop</p>'.repeat(100)}<div id="chat"></div>${line('data-flow="embedded" data-mode="inline" data-into="#chat"')}`,
    )
    const chat = page.locator('#chat flow-chat')
    await chat.waitFor({ state: 'attached' })
    expect(page.frames()).toHaveLength(1)
    await chat.scrollIntoViewIfNeeded()
    await hears(frame, 'Hello')
    const height = async () => (await chat.boundingBox())?.height
    const before = await height()
    await say(frame, 'Hi')
    await hears(frame, 'Thank you')
    await say(frame, 'Bye')
    await hears(frame, 'That was all')
    await expect.poll(height).toBeGreaterThan(before ?? 0)
    await expect
      .poll(() =>
        frame.locator('.scroll').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
      )
      .toBe(0)
    await chat.evaluate((element) => {
      element.style.maxHeight = '200px'
    })
    await expect.poll(async () => (await chat.locator('iframe').boundingBox())?.height).toBe(200)
    expect(complaints).toEqual([])
  })

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

  it('fills the screen of a phone above the keyboard, and closes by the back button', async () => {
    const { page, complaints, frame } = await show(line('data-flow="embedded"'), phone)
    const url = page.url()
    await launcher(page).tap()
    await hears(frame, 'Hello')
    const dialog = page.getByRole('dialog')
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    const devTools = await page.context().newCDPSession(page)
    const keyboard = { width: 390, height: 500, deviceScaleFactor: 1, mobile: true }
    await devTools.send('Emulation.setDeviceMetricsOverride', keyboard)
    await expect.poll(() => dialog.boundingBox()).toMatchObject({ height: 500 })
    await page.goBack()
    await expect.poll(() => dialog.count()).toBe(0)
    expect(page.url()).toBe(url)
    await launcher(page).tap()
    await frame.getByRole('button', { name: 'Close' }).tap()
    await expect.poll(() => dialog.count()).toBe(0)
    // Nothing is left of it for the back button.
    expect(await page.evaluate('history.state?.flowChat')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  it('counts what is said while it is closed, and tells the site what happens', async () => {
    const { page, frame } = await show(line('data-flow="embedded"'))
    await isThere(page)
    await page.evaluate(`told = []
      for (const type of ['ready', 'message', 'answer', 'end', 'open', 'close'])
        document.querySelector('flow-chat').addEventListener(type, ({ detail }) => told.push([type, detail]))
      // Nobody but the frame is heard.
      void postMessage({ flowChat: 'hello' }, '*', [new MessageChannel().port2])`)
    await launcher(page).click()
    await hears(frame, 'Hello')
    await frame.locator('.composer .field').fill('Hi')
    await frame.locator('.composer .send:enabled').waitFor()
    await page.route(
      '**/continueChat',
      async (route) => {
        await page.getByRole('button', { name: 'Close chat' }).click()
        await route.continue()
      },
      { times: 1 },
    )
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).click()
    await say(frame, 'Bye')
    await hears(frame, 'That was all')
    const answer = (blockId: string, text: string) => ['answer', { blockId, text }]
    const message = expect.objectContaining({ type: 'text' })
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([
        ['open', null],
        ['message', message],
        ['ready', { title: 'embedded' }],
        answer('ask', 'Hi'),
        ['close', null],
        ['message', message],
        ['open', null],
        answer('ask-2', 'Bye'),
        ['message', message],
        ['end', null],
      ])
  })

  it('goes on after a reload where the browser keeps nothing for the frame, as open as it was', async () => {
    const { page, frame, complaints } = await show('')
    await page.context().addInitScript(`if (window !== top)
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() { throw new DOMException('Access is denied', 'SecurityError') },
        })`)
    await page.goto(
      site.show(line('data-flow="embedded" data-remember'), strictPolicy(pages.service.address)),
    )
    await launcher(page).click()
    await hears(frame, 'Hello')
    await say(frame, 'Hi')
    await hears(frame, 'Thank you')
    await page.reload()
    await hears(frame, 'Thank you')
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
    await say(frame, 'Bye')
    await hears(frame, 'That was all')
    expect(complaints).toEqual([])
  })

  it('is a conversation of its own in each tab', async () => {
    const { page, frame } = await show(line('data-flow="embedded" data-remember'))
    await launcher(page).click()
    await say(frame, 'Hi')
    await hears(frame, 'Thank you')
    const other = await page.context().newPage()
    await other.goto(page.url())
    expect(await launcher(other).getAttribute('aria-expanded')).toBe('false')
    await launcher(other).click()
    const beside = other.frameLocator('flow-chat iframe')
    await hears(beside, 'Hello')
    expect(await beside.locator('.bubble').count()).toBe(1)
    await say(beside, 'Me too')
    await say(frame, 'Bye')
    await hears(frame, 'That was all')
    await hears(beside, 'Thank you')
  })

  const looksAs = async (page: Page, selector: string, style: Readonly<Record<string, string>>) => {
    const names = Object.keys(style)
    const found = await page.evaluate(
      `(${JSON.stringify(names)}).map((name) => [name, getComputedStyle(document.querySelector('flow-chat').shadowRoot.querySelector('${selector}'))[name]])`,
    )
    expect(Object.fromEntries(found as [string, string][])).toEqual(style)
  }

  it.each([
    { attributes: 'data-position="bottom-left"', style: { bottom: '20px', left: '20px' } },
    { attributes: 'data-position="top-right"', style: { top: '20px', right: '20px' } },
    {
      attributes: 'data-color="#ff0000" data-icon-color="#00ff00"',
      style: { backgroundColor: 'rgb(255, 0, 0)', color: 'rgb(0, 255, 0)' },
    },
    { attributes: 'data-size="80"', style: { width: '80px', height: '80px' } },
    { attributes: '', style: { width: '56px', zIndex: '2147483000', right: '20px', bottom: '20px' } },
    { attributes: 'data-z-index="7"', style: { zIndex: '7' } },
    { attributes: 'data-mode="inline" data-height="30rem"', selector: '.panel', style: { height: '480px' } },
  ])('looks as it is told to: $attributes', async ({ attributes, selector = '.launcher', style }) => {
    const { page } = await show(line(`data-flow="embedded" ${attributes}`))
    await isThere(page)
    await looksAs(page, selector, style)
  })

  it.each([
    { reducedMotion: 'no-preference', animationName: 'rise' },
    { reducedMotion: 'reduce', animationName: 'none' },
  ] as const)('moves for who lets it: $reducedMotion', async ({ reducedMotion, animationName }) => {
    const { page } = await show(line('data-flow="embedded"'), { reducedMotion })
    await isThere(page)
    await looksAs(page, '.launcher', { animationName })
  })

  it('invites after a while, until somebody dismisses it', async () => {
    const { page } = await show('')
    await page.clock.install()
    await page.goto(
      site.show(
        line('data-flow="embedded" data-invitation="Need help?" data-invitation-after="60"'),
        strictPolicy(pages.service.address),
      ),
    )
    await isThere(page)
    const invitation = page.getByRole('button', { name: 'Need help?' })
    expect(await invitation.isVisible()).toBe(false)
    await page.clock.fastForward(60_000)
    await invitation.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await invitation.isVisible()).toBe(false)
    expect(await launcher(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.reload()
    await isThere(page)
    await page.clock.fastForward(60_000)
    expect(await invitation.isVisible()).toBe(false)
  })

  it('begins in the language of the site, is toggled, and taken off', async () => {
    const { page, frame } = await show(line('data-flow="embedded" data-locale="fr-CA"'))
    await isThere(page)
    const act = (call: string) => page.evaluate(`document.querySelector('flow-chat').${call}`)
    const begun = page.waitForRequest('**/startChat')
    await act('toggle()')
    await hears(frame, 'Hello !')
    expect((await begun).postDataJSON()).toMatchObject({ locale: 'fr-CA' })
    await act('toggle()')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await act('destroy()')
    await expect.poll(() => page.frames().length).toBe(1)
  })

  it.each(['while it loads', 'later'])('begins again with values that came %s', async (when) => {
    const { page, frame } = await show(line('data-flow="embedded"'))
    await isThere(page)
    const give = `chat.setVariables({ 'First name': 'Ada' })`
    await page.evaluate("chat = document.querySelector('flow-chat')")
    await page.evaluate(when === 'later' ? 'chat.open()' : `chat.open(), ${give}`)
    await hears(frame, when === 'later' ? 'Hello !' : 'Hello')
    if (when === 'later') await page.evaluate(give)
    for (const _ of [1, 2]) {
      await frame.locator('.composer .field').fill('Hi')
      await frame.locator('.composer .send:enabled').click()
    }
    await frame.locator('.over button').click()
    await hears(frame, 'Hello Ada!')
  })

  it('is refused to sites that the flow does not allow', async () => {
    const { page, complaints } = await show(line('data-flow="elsewhere" data-open'))
    await expect.poll(() => complaints.join()).toContain('frame-ancestors')
    await page.getByRole('dialog').getByRole('button', { name: 'Close chat' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  describe('when the flow asks something of the site', () => {
    const open = async (attributes: string, policy?: string) => {
      const { page, frame } = await show('')
      await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }))
      await page.goto(
        site.show(line(`data-flow="acting" ${attributes}`), policy ?? strictPolicy(pages.service.address)),
      )
      await isThere(page)
      await page.evaluate(`actions = [], document.querySelector('flow-chat').addEventListener('action',
        (event) => { actions.push(event.detail.type); if (globalThis.does?.(event.detail)) event.preventDefault() })`)
      await launcher(page).click()
      return { page, frame }
    }
    const all = ['startPropsToInject', 'scriptToExecute', 'googleAnalytics', 'pixel', 'chatwoot', 'redirect']

    it('leads away the page, and does nothing else unless it is allowed', async () => {
      const { page, frame } = await open('')
      await frame.locator('.ask').waitFor()
      expect(await page.evaluate('actions')).toEqual(expect.arrayContaining(all.slice(1)))
      expect(await page.evaluate('typeof dataLayer')).toBe('undefined')
      await say(frame, 'Go')
      await page.waitForURL('https://shop.example/away')
    })

    it('leaves to the site what it says it has done, or does not allow', async () => {
      const { page, frame } = await open('data-allow=""')
      await page.evaluate('does = ({ type }) => type === "redirect"')
      await say(frame, 'Go')
      await expect.poll(() => page.evaluate('actions.filter((type) => type === "redirect").length')).toBe(2)
      expect(page.url()).toContain(site.address)
    })

    it('goes on where the site never says what became of it', async () => {
      const { page, frame } = await open('data-allow=""')
      await frame.locator('.ask').waitFor()
      await page.evaluate('does = () => true, MessagePort.prototype.postMessage = () => undefined')
      await say(frame, 'Go')
      await frame.locator('.over').waitFor()
      expect(page.url()).toContain(site.address)
    })

    it('counts, and runs scripts, where that is allowed', async () => {
      const { page, frame } = await open(
        'data-allow="scripts analytics"',
        `script-src ${pages.service.address} 'unsafe-eval'`,
      )
      const ranAgain: string[] = []
      page.on('request', (request) => void (request.url().endsWith('/script-frame') && ranAgain.push('once')))
      const failed = page.waitForEvent('console', (message) =>
        message.text().includes('secret of the author'),
      )
      const reported = page.waitForRequest((request) =>
        Boolean(request.postData()?.includes('A script failed in the browser')),
      )
      await frame.locator('.ask').waitFor()
      await failed
      expect((await reported).postData()).toContain('secret of the author')
      // It is not run once more where it reaches nothing.
      expect(ranAgain).toEqual([])
      expect(await page.evaluate('dataLayer')).toMatchObject([{ event: 'purchase' }])
    })
  })

  it.each(['bubble', 'popup', 'inline'])('has nothing in the way of anybody: %s', async (mode) => {
    const { page, frame } = await show(
      line(`data-flow="embedded" data-mode="${mode}" data-invitation="Need help?" data-invitation-after="0"`),
    )
    await isThere(page)
    for (const media of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
    ] as const) {
      await page.emulateMedia(media)
      expect(await flaws(page)).toEqual([])
    }
    await page.evaluate('document.querySelector("flow-chat").open()')
    await hears(frame, 'Hello')
    expect(await flaws(page)).toEqual([])
  })
})
