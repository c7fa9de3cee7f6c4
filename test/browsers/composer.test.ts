import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { embedding, everyInput, recording, slow, talking } from './page-flows.ts'
import { playToEnd } from './play-to-end.ts'

describe.each(installedChromium('the field of a conversation'))('the composer, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [embedding, everyInput, recording, slow, talking])
  })

  afterAll(() => pages?.close())

  const open: OpenedPages['open'] = (path, options) => pages.open(path, options)
  const field = (page: Page) => page.locator('.composer .field')
  const hears = (page: Page, text: string) =>
    page.locator('.bubble.host', { hasText: text }).first().waitFor()
  const notice = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()
  const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
  const say = async (page: Page, text: string) => {
    await page.locator('.ask .field').fill(text)
    await send(page)
  }
  const notSent = (page: Page) => page.locator('.bubble.guest', { hasText: 'Not sent' }).count()
  /** Whether the focus is at an element of the conversation. */
  const hasFocus = (page: Page, selector: string) =>
    page.evaluate(
      `document.querySelector('#chat').shadowRoot.activeElement?.matches(${JSON.stringify(selector)}) === true`,
    )

  /** Does this with the first replies, one after the other; those that follow reach the service. */
  async function meetReplies(page: Page, ...obstacles: ((route: Route) => Promise<unknown> | undefined)[]) {
    const keys: (string | null)[] = []
    await page.route('**/continueChat', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'))
      await (obstacles.shift() ?? (() => route.fallback()))(route)
    })
    return keys
  }
  const isBusy = (route: Route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: {} })

  it('has the focus at once, and keeps what is typed early for the next question', async () => {
    const { page } = await open('/f/slow', { reducedMotion: 'no-preference' })
    await page.locator('.ask').waitFor()
    await page.keyboard.type('Bob')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('on its way').waitFor()
    await page.keyboard.type('early words')
    await page.keyboard.press('Enter')
    await page.locator('.ask').waitFor()
    expect(await field(page).inputValue()).toBe('early words')
    expect(await page.locator('.bubble.guest').count()).toBe(1)
    await page.keyboard.type(', and late ones')
    await page.keyboard.press('Control+Enter')
    await hears(page, 'So be it')
    expect(await page.locator('.bubble.guest').last().innerText()).toContain('early words, and late ones')
  })

  it('ends a recording that is under way when its question is answered in words', async () => {
    const { page } = await open('/f/recording')
    await page.evaluate(`
      globalThis.stream = new AudioContext().createMediaStreamDestination().stream
      navigator.mediaDevices.getUserMedia = async () => stream
    `)
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByRole('button', { name: 'Stop and send' }).waitFor()
    await field(page).fill('in words')
    await field(page).press('Enter')
    await hears(page, 'Thank you')
    await expect.poll(() => page.evaluate('stream.getTracks()[0].readyState')).toBe('ended')
    expect(await page.locator('.bubble.guest').count()).toBe(1)
  })

  it('does not begin a recording that is allowed when its question is answered', async () => {
    const { page } = await open('/f/recording')
    await page.evaluate(`
      globalThis.stream = new AudioContext().createMediaStreamDestination().stream
      navigator.mediaDevices.getUserMedia = () => new Promise((resolve) => { globalThis.allow = () => resolve(stream) })
    `)
    await page.getByRole('button', { name: 'Record' }).click()
    await field(page).fill('in words')
    await field(page).press('Enter')
    await hears(page, 'Thank you')
    await page.evaluate('allow()')
    await expect.poll(() => page.evaluate('stream.getTracks()[0].readyState')).toBe('ended')
  })

  it('leaves a file out that comes in when its question is gone', async () => {
    const { page } = await open('/f/recording')
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/uploads/*', (route) => arrived.then(() => route.fallback()))
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }
    await page.locator('.composer input[type=file]').setInputFiles(file)
    await page.getByText('Uploading').waitFor()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.locator('.composer.ask').waitFor()
    expect(await page.getByText('Uploading').count()).toBe(0)
    const uploaded = page.waitForResponse('**/uploads/*')
    arrive()
    await uploaded
    await say(page, 'in words')
    await hears(page, 'Thank you')
    expect(await page.locator('.bubble.guest').innerText()).not.toContain('note.txt')
  })

  it('is left to the visitor by a page in the conversation that says more than once what was waited for', async () => {
    const { page } = await open('/health')
    await page.route('https://shop.example/form', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>setInterval(() => parent.postMessage({ name: 'done', data: 'yes' }, '*'), 50)</script>`,
      }),
    )
    await page.goto(page.url().replace('/health', '/f/embedding'))
    await hears(page, 'It said yes.')
    await page.waitForTimeout(500)
    await say(page, 'my own words')
    await hears(page, 'Thank you')
    expect(await page.locator('.bubble.host').count()).toBe(2)
    expect(await page.locator('.notice').count()).toBe(0)
  })

  it('keeps half of a sentence over a reload', async () => {
    const { page } = await open('/f/talking')
    await field(page).fill('half of a sen')
    await page.reload()
    await hears(page, 'Who are you?')
    expect(await field(page).inputValue()).toBe('half of a sen')
  })

  it('sends once more what was answered with 503, by itself and with its key', async () => {
    const { page } = await open('/f/talking')
    const keys = await meetReplies(page, isBusy)
    await say(page, 'Ada')
    await notice(page, 'too much to do')
    expect(await notSent(page)).toBe(1)
    await hears(page, 'Line 30')
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await notSent(page)).toBe(0)
    expect(await page.locator('.bubble.guest').innerText()).toContain('Ada')
    expect(await page.locator('.notice').count()).toBe(0)
  })

  it('says that a text is too long before it is sent, and keeps it', async () => {
    const { page } = await open('/f/talking')
    const long = 'a curriculum '.repeat(1600)
    await field(page).fill(long)
    await notice(page, 'too long')
    await field(page).press('Enter')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    expect(await flaws(page)).toEqual([])
    await page.reload()
    await hears(page, 'Who are you?')
    expect(await field(page).inputValue()).toBe(long)
    await say(page, 'Ada')
    await hears(page, 'Line 30')
  })

  it('tells of a request that is not answered for 10 s, and repeats it with its key', async () => {
    const { page } = await open('/health')
    await page.clock.install()
    await page.goto(`${pages.service.address}/f/talking`)
    await page.locator('.ask').waitFor()
    let met = () => {}
    const unanswered = new Promise<void>((resolve) => {
      met = resolve
    })
    const keys = await meetReplies(
      page,
      async () => met(),
      (route) => {
        setTimeout(() => void route.fallback(), 300)
        return undefined
      },
    )
    await say(page, 'Ada')
    await unanswered
    await page.clock.fastForward(10_000)
    await notice(page, 'takes longer than usual')
    await hears(page, 'Line 30')
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await page.locator('.notice').count()).toBe(0)
  })

  it('sends what was said offline once the network is back, once', async () => {
    const { page } = await open('/f/talking', {})
    await page.locator('.ask').waitFor()
    const taken: string[] = []
    page.on('response', (response) => void (response.url().endsWith('continueChat') && taken.push('one')))
    await page.context().setOffline(true)
    await say(page, 'Ada')
    await notice(page, 'You are offline. Your words are safe.')
    expect(await flaws(page)).toEqual([])
    await page.context().setOffline(false)
    await hears(page, 'Line 30')
    expect(taken).toEqual(['one'])
    expect(await page.locator('.bubble.guest').count()).toBe(1)
  })

  it('shows after a reload what an answer brought that was lost on its way', async () => {
    const { page } = await open('/f/talking')
    const keys = await meetReplies(page, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await say(page, 'Ada')
    await notice(page, 'The connection was lost.')
    await page.reload()
    await hears(page, 'Line 30')
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await page.locator('.bubble.host').count()).toBe(31)
    expect(await page.locator('.bubble.guest').count()).toBe(1)
  })

  it('never lets the focus fall out of the conversation', async () => {
    const { page } = await open('/f/every-input')
    await page.locator('.ask').waitFor()
    await page.evaluate(`{
      window.lost = 0
      const look = () => {
        if (document.activeElement === document.body) window.lost += 1
        requestAnimationFrame(look)
      }
      look()
    }`)
    await playToEnd(page)
    expect(await page.evaluate('window.lost')).toBe(0)
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.locator('.ask').waitFor()
    expect(await hasFocus(page, '.composer .field')).toBe(true)
    expect(await page.evaluate('window.lost')).toBe(0)
  })

  it('leads the focus to what is asked, whose code may still come', async () => {
    const { page } = await open('/f/every-input')
    for (const text of ['Ada', '7', 'ada@shop.example', 'https://shop.example', '020 7946 0018']) {
      await page.locator('.ask .field').waitFor()
      await say(page, text)
    }
    await expect.poll(() => hasFocus(page, '.ask input[type=date]')).toBe(true)
    await page.getByLabel('Date').fill('2027-03-04')
    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(page, '.ask input[type=time]')).toBe(true)
  })

  it('leaves the keyboard of a phone as it is', async () => {
    const { page } = await open('/f/talking', {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 700 },
    })
    await page.locator('.ask').waitFor()
    expect(await hasFocus(page, '*')).toBe(false)
    await field(page).tap()
    await page.keyboard.type('Ada')
    await page.getByRole('button', { name: 'Send' }).tap()
    await hears(page, 'Line 30')
    expect(await hasFocus(page, '.composer .field')).toBe(true)
    await page.getByRole('button', { name: 'Tea' }).tap()
    await hears(page, 'How do we reach you?')
    expect(await hasFocus(page, '.scroll')).toBe(true)
    expect(await field(page).getAttribute('inputmode')).toBe('email')
  })

  it('says what it asks for, and is walked by arrows', async () => {
    const { page } = await open('/f/talking')
    const described = `{
      const root = document.querySelector('#chat').shadowRoot
      root.getElementById(root.querySelector('.ask[aria-describedby], .ask [aria-describedby]').getAttribute('aria-describedby')).innerText
    }`
    await page.locator('.ask').waitFor()
    expect(await page.evaluate(described)).toBe('Who are you?')
    await say(page, 'Ada')
    const tea = page.getByRole('button', { name: 'Tea' })
    await tea.waitFor()
    expect(await page.evaluate(described)).toContain('Line 30')
    const stops = () => page.locator('.choice[tabindex="0"]').allInnerTexts()
    await expect.poll(() => hasFocus(page, '.choice')).toBe(true)
    expect(await stops()).toEqual(['Tea'])
    await page.keyboard.press('ArrowDown')
    expect(await stops()).toEqual(['Coffee'])
    await page.keyboard.press('ArrowRight')
    expect(await stops()).toEqual(['Tea'])
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator('.bubble.guest', { hasText: 'Coffee' }).waitFor()
  })

  it('is left for the messages, from one to the next by arrows', async () => {
    const { page } = await open('/f/talking', { viewport: { width: 400, height: 500 } })
    await say(page, 'Ada')
    await expect.poll(() => hasFocus(page, '.choice')).toBe(true)
    const walk = async (key: string) => {
      await page.keyboard.press(key)
      const text = await page.evaluate('document.querySelector("#chat").shadowRoot.activeElement.innerText')
      return Number(/^Line (\d+)/.exec(String(text))?.[1])
    }
    await page.locator('.scroll').focus()
    const last = await walk('ArrowUp')
    expect(last).toBeGreaterThan(1)
    expect([await walk('ArrowUp'), await walk('ArrowDown'), await walk('ArrowDown')]).toEqual([
      last - 1,
      last,
      last + 1,
    ])
    for (let line = last + 2; line <= 30; line += 1) expect(await walk('ArrowDown')).toBe(line)
    const bottomOf = async (selector: string) => {
      const { y = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {}
      return y + height
    }
    expect(await bottomOf('.line:focus')).toBeLessThanOrEqual(await bottomOf('.scroll'))
  })

  it('begins a long turn at its first bubble, and leads to its end', async () => {
    const { page } = await open('/f/talking', { viewport: { width: 400, height: 500 } })
    await say(page, 'Ada')
    await hears(page, 'Line 30')
    const more = page.getByRole('button', { name: 'New messages' })
    await more.waitFor()
    const first = page.locator('.bubble.host').nth(1)
    const [box, scroll] = [await first.boundingBox(), await page.locator('.scroll').boundingBox()]
    expect((box?.y ?? 0) - (scroll?.y ?? 0)).toBeGreaterThanOrEqual(0)
    expect((box?.y ?? 0) - (scroll?.y ?? 0)).toBeLessThan(40)
    await more.click()
    await expect.poll(() => more.count()).toBe(0)
    await page.getByRole('button', { name: 'Tea' }).click()
    await say(page, 'ada@shop.example')
    const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from('x') })
    const names = Array.from({ length: 9 }, (_, index) => `a-long-name-of-a-photo-number-${index}.png`)
    await page.locator('input[type=file]').setInputFiles(names.map(photo))
    await expect.poll(() => page.locator('.file-name').count()).toBe(9)
    const bottomOf = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom)
    await expect
      .poll(async () => (await bottomOf('.field-extras')) - (await bottomOf('.scroll')))
      .toBeLessThan(0)
  })

  it('leaves a reader alone who has scrolled up', async () => {
    const { page } = await open('/f/slow', {
      reducedMotion: 'no-preference',
      viewport: { width: 400, height: 260 },
    })
    await say(page, 'Bob')
    await hears(page, 'We look for you')
    await hears(page, 'once more')
    await page.locator('.scroll').hover()
    await page.mouse.wheel(0, -2000)
    const top = () => page.locator('.scroll').evaluate((box) => box.scrollTop)
    await expect.poll(top).toBe(0)
    await hears(page, 'have found you')
    await page.getByRole('button', { name: 'New messages' }).waitFor()
    expect(await top()).toBe(0)
  })
})
