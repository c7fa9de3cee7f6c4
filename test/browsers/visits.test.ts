import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleFlows } from '../service/sample-flows.ts'
import { installedChromium } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import {
  acting,
  asking,
  disclosing,
  dressed,
  filmed,
  foreignNames,
  listening,
  paying,
  remembering,
  reminding,
  styled,
  unpayable,
  uploading,
} from './page-flows.ts'
import { playToEnd } from './play-to-end.ts'
import { actProvider, type Providers, startProviders } from './providers.ts'

const adminToken = 'admin-token-of-pages'

describe.each(installedChromium('whole visits'))('a visit, in %s', (executablePath) => {
  let pages: OpenedPages
  let providers: Providers
  let folder: string

  beforeAll(async () => {
    providers = await startProviders()
    folder = await mkdtemp(join(tmpdir(), 'accounts-'))
    const accounts = join(folder, 'accounts.json')
    await writeFile(accounts, JSON.stringify(providers.accounts))
    const flows = [
      ...[acting, asking, disclosing, dressed, filmed, listening, paying, styled, unpayable, uploading],
      reminding('reminds', { id: 'ask', type: 'text input' }),
      reminding('reminds-of-choice', {
        id: 'choose',
        type: 'choice input',
        options: { isMultipleChoice: true },
        items: [
          { id: 'salt', content: 'Salt' },
          { id: 'pepper', content: 'Pepper' },
        ],
      }),
      remembering('remembers-nobody', {}),
      remembering('remembers-in-tab', { rememberUser: { isEnabled: true } }),
      remembering('remembers', { rememberUser: { isEnabled: true, storage: 'local' } }),
    ]
    pages = await openPages(executablePath, flows, {
      ADMIN_TOKEN: adminToken,
      CREDENTIALS_FILE: accounts,
      UPLOAD_MAX_BYTES: '1000',
    })
  })

  afterAll(async () => {
    await pages?.close()
    providers?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open: OpenedPages['open'] = (path, options) => pages.open(path, options)
  const hears = (page: Page, text: string) => page.locator('.bubble.host', { hasText: text }).last().waitFor()
  const say = async (page: Page, text: string) => {
    await page.locator('.ask .field').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  const operate = (sessionId: string, method: string, path: string, body: object) =>
    fetch(`${pages.service.address}/v1/sessions/${sessionId}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const ask = async <Answer>(path: string) => {
    const response = await fetch(`${pages.service.address}/v1/flows/${path}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    return (await response.json()) as Answer
  }
  /** The result of the latest visit. */
  const resultOf = async (publicId: string) => {
    const { results } = await ask<{ results: { id: string }[] }>(`${publicId}/results?limit=1`)
    return ask<{ logs: { description: string }[] }>(`${publicId}/results/${results[0]?.id}`)
  }

  it.each(sampleFlows)('leads through the sample flow %s to its end', async (publicId) => {
    const { page, complaints } = await open(`/f/${publicId}`)
    await playToEnd(page)
    expect(complaints).toEqual([])
  })

  it('hears a model while it speaks, and all of it after a reload in the middle', async () => {
    const { page, complaints } = await open('/f/asking')
    await hears(page, 'Well')
    expect(await page.getByText('hello').count()).toBe(0)
    await page.reload()
    await hears(page, 'Well')
    // It is announced once it is whole.
    expect(await page.getByRole('log').innerText()).not.toContain('Well')
    providers.finishSpeaking()
    await hears(page, 'It said that.')
    expect(await page.getByRole('log').innerText()).toContain('Well, hello.')
    expect(await page.locator('.bubble.host').allInnerTexts()).toEqual(['Well, hello.', 'It said that.'])
    expect(complaints).toEqual([])
  })

  it('takes a conversation over that is held elsewhere, whose id stays in no address', async () => {
    const started = await fetch(`${pages.service.address}/v1/flows/remembers-nobody/startChat`, {
      method: 'POST',
    })
    const { sessionId, messages } = (await started.json()) as { sessionId: string; messages: object[] }
    const { page, complaints } = await open('/health')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${pages.service.address}/f/remembers-nobody#session=${sessionId}`)
    await page.locator('.ask .field').waitFor()
    expect(await page.locator('.bubble.host').count()).toBe(messages.length)
    expect(page.url()).not.toContain(sessionId)
    await say(page, 'Ada')
    await hears(page, 'Nice name')
    expect(asked.filter((url) => url.includes('startChat'))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('begins one session though the first answer to its start is lost, and nothing of its key is left', async () => {
    const { page } = await open('/health')
    const replayed: (string | undefined)[] = []
    await page.route('**/startChat', async (route) => {
      const answer = await route.fetch()
      replayed.push(answer.headers()['idempotent-replayed'])
      await (replayed.length === 1 ? route.abort() : route.fulfill({ response: answer }))
    })
    await page.goto(`${pages.service.address}/f/remembers-nobody`)
    await page.locator('.bubble.host').first().waitFor()
    expect(replayed).toEqual([undefined, 'true'])
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('/start/')
  })

  it('talks to a person, whose name it tells, over a reload too, and goes on with the flow then', async () => {
    const { page, complaints } = await open('/health')
    const begun = page.waitForResponse(/startChat/)
    await page.goto(`${pages.service.address}/f/ask-a-person`)
    const { sessionId } = (await (await begun).json()) as { sessionId: string }
    const type = async (words: string) => {
      await page.getByRole('textbox').fill(words)
      await page.keyboard.press('Enter')
    }
    const state = page.locator('.head .state')
    await hears(page, 'What is your name?')
    await type('Ada')
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await hears(page, 'I am bringing somebody in, Ada.')
    await expect.poll(() => state.innerText()).toBe('Support')
    await operate(sessionId, 'POST', '/messages', { text: 'Which order?', name: 'Grace' })
    await hears(page, 'Which order?')
    expect(await page.locator('.sender').allInnerTexts()).toEqual(['Grace'])
    await Promise.all([
      type('The blue one'),
      operate(sessionId, 'POST', '/messages', { text: 'Take your time' }),
    ])
    await hears(page, 'Take your time')
    await page.getByText('The blue one').waitFor()
    await page.reload()
    await expect.poll(() => state.innerText()).toBe('Grace')
    await operate(sessionId, 'PATCH', '', { status: 'open' })
    await page.getByRole('button', { name: 'Nothing more' }).click()
    await hears(page, 'Bye, Ada!')
    expect(await page.locator('.notice').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('learns of a person who comes where its flow does nothing by itself', async () => {
    const { page, complaints } = await open('/health')
    const begun = page.waitForResponse(/startChat/)
    await page.goto(`${pages.service.address}/f/remembers-nobody`)
    const { sessionId } = (await (await begun).json()) as { sessionId: string }
    await hears(page, 'Hello !')
    await page.locator('.ask .field').fill('half a word')
    await operate(sessionId, 'PATCH', '', { status: 'paused', who: 'Grace' })
    await operate(sessionId, 'POST', '/messages', { text: 'I am here', name: 'Grace' })
    await hears(page, 'I am here')
    expect(await page.locator('.sender').allInnerTexts()).toEqual(['Grace'])
    expect(await page.locator('.ask .field').inputValue()).toBe('half a word')
    expect(await page.locator('.notice').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'tells who talks, a machine or a person, in nobody’s way, %s',
    async (colorScheme) => {
      const { page, complaints } = await open('/health', { colorScheme })
      const begun = page.waitForResponse(/startChat/)
      await page.goto(`${pages.service.address}/f/disclosing`)
      const { sessionId } = (await (await begun).json()) as { sessionId: string }
      await page.getByText('You are chatting with an AI.').waitFor()
      await hears(page, 'Well')
      expect(await flaws(page)).toEqual([])
      providers.finishSpeaking()
      await hears(page, 'Anything else?')
      expect(
        await page.locator('.line', { hasText: 'Written by an AI' }).locator('.bubble').allInnerTexts(),
      ).toEqual(['Well, hello.'])
      expect(await flaws(page)).toEqual([])
      await operate(sessionId, 'PATCH', '', { status: 'paused', who: 'Grace' })
      await operate(sessionId, 'POST', '/messages', { text: 'I am here', name: 'Grace' })
      await hears(page, 'I am here')
      const state = page.locator('.head .state')
      await expect.poll(() => state.innerText()).toBe('Grace')
      expect(await page.locator('.sender').allInnerTexts()).toEqual(['Grace'])
      expect(await flaws(page)).toEqual([])
      await operate(sessionId, 'PATCH', '', { status: 'open' })
      await expect.poll(() => state.innerText()).toBe('Online')
      expect(await flaws(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('is reminded once while somebody types, over a reload too, and is answered', async () => {
    const { page, complaints } = await open('/f/reminds')
    const field = page.locator('.ask .field')
    await field.pressSequentially('half a ')
    await hears(page, 'Still there?')
    await page.keyboard.type('sentence')
    expect(await field.inputValue()).toBe('half a sentence')
    await page.reload()
    await hears(page, 'Still there?')
    expect(await field.inputValue()).toBe('half a sentence')
    await page.getByRole('button', { name: 'Send' }).click()
    await hears(page, 'Thank you')
    expect(await page.locator('.bubble').allInnerTexts()).toEqual([
      'Well?',
      'Still there?',
      expect.stringContaining('half a sentence'),
      'Thank you',
    ])
    expect(await page.locator('.notice').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('keeps what is chosen while it is reminded, and over a reload', async () => {
    const { page } = await open('/f/reminds-of-choice')
    await page.getByText('Salt').click()
    await hears(page, 'Still there?')
    await page.reload()
    await page.getByRole('button', { name: 'Salt', pressed: true }).waitFor()
    await page.getByText('Pepper').click()
    await page.locator('.ask').getByRole('button', { name: /Send/ }).click()
    await hears(page, 'Thank you')
    expect(await page.locator('.bubble.guest').innerText()).toMatch(/Salt, Pepper/)
  })

  it.each(['while it listens', 'while nobody listens'])('goes on when a webhook comes %s', async (when) => {
    const { page, complaints } = await open('/health')
    const [started] = await Promise.all([
      page.waitForResponse(/startChat$/),
      page.waitForRequest(/\/events$/),
      page.goto(`${pages.service.address}/f/listening`),
    ])
    const { resultId } = await started.json()
    if (when === 'while nobody listens') await page.goto(`${pages.service.address}/health`)
    const path = `/v1/flows/listening/blocks/listen/results/${resultId}/executeWebhook`
    const called = await fetch(pages.service.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'done' }),
    })
    expect(called.status).toBe(200)
    if (when === 'while nobody listens') await page.goBack()
    await hears(page, 'It is done.')
    expect(complaints).toEqual([])
  })

  it.each([
    { publicId: 'remembers-nobody', again: 'Hello !', elsewhere: 'Hello !' },
    { publicId: 'remembers-in-tab', again: 'Hello Ada!', elsewhere: 'Hello !' },
    { publicId: 'remembers', again: 'Hello Ada!', elsewhere: 'Hello Ada!' },
  ])('is that of a known visitor as far as the flow says: $publicId', async (row) => {
    const { page } = await open(`/f/${row.publicId}`)
    await hears(page, 'Hello !')
    await say(page, 'Ada')
    await page.getByRole('button', { name: 'Start again' }).click()
    await hears(page, row.again)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await hears(other, row.elsewhere)
  })

  it('is told where nothing can begin, and goes on there when it had begun before', async () => {
    const { page } = await open('/f/none')
    expect(await page.locator('#page').innerText()).toBe('There is no such conversation.')
    expect(await page.title()).toBe('Not found')
    const began = { sessionId: 'gone', entries: [{ kind: 'said', text: 'Hello?' }], theme: {}, settings: {} }
    const kept = JSON.stringify(JSON.stringify(began))
    await page.evaluate(`sessionStorage.setItem('flow-runtime/chat/none', ${kept})`)
    await page.reload()
    await page.getByText('Hello?').waitFor()
    await page.getByText('This conversation is over.').waitFor()
    expect(await page.locator('#refusal').count()).toBe(0)
  })

  it('does what a flow asks of a browser, reports to its author what it does not do, and is led away', async () => {
    const { page } = await open('/health')
    await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }))
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.goto(`${pages.service.address}/f/acting`),
    ])
    await tab.waitForURL('https://shop.example/tab')
    expect(await tab.evaluate('opener')).toBe(null)
    await page.locator('.ask').waitFor()
    expect(await page.locator('.note').count()).toBe(0)
    await expect
      .poll(async () => {
        const { logs } = await resultOf('acting')
        return logs.map(({ description }) => description)
      })
      .toEqual(
        expect.arrayContaining([
          'A script failed in the browser',
          ...['startPropsToInject', 'googleAnalytics', 'pixel', 'chatwoot'].map(
            (type) => `Not done in the browser: ${type}`,
          ),
        ]),
      )
    await say(page, 'Go')
    await page.waitForURL('https://shop.example/away')
  })

  it('has a file refused, with the reason, and another one taken', async () => {
    const { page, complaints } = await open('/f/uploading')
    const file = (name: string, mimeType: string, bytes: number) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.alloc(bytes, 'x') })
    const alert = page.getByRole('alert')
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('.pdf')
    await file('note.txt', 'text/plain', 10)
    await alert.getByText('note.txt').waitFor()
    await file('large.pdf', 'application/pdf', 2000)
    await alert.getByText('large.pdf').waitFor()
    expect(await flaws(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await file('note.pdf', 'application/pdf', 10)
    await page.locator('.file-name', { hasText: 'note.pdf' }).waitFor()
    expect((await alert.allInnerTexts()).join('')).toBe('')
    await page.getByRole('button', { name: 'Send' }).click()
    await hears(page, 'Thank you')
    expect(complaints).toEqual([])
  })

  it('pays by the form of the provider, whose script runs in a frame of its own, and believes the provider alone', async () => {
    const { page, complaints } = await open('/health')
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(pages.service.address)) foreign.push(request.url())
    })
    await actProvider(page.context(), providers)
    providers.isPaid = false
    await page.goto(`${pages.service.address}/f/paying`)
    const payment = page.getByRole('region', { name: 'Payment' })
    await payment.getByText('One bike').waitFor()
    const form = payment.frameLocator('iframe')
    const pay = payment.getByRole('button', { name: 'Pay now 12,50 €' })
    await form.getByLabel('Card').fill('4000')
    await pay.click()
    await payment.getByRole('alert').getByText('Your card was declined.').waitFor()
    expect(await flaws(page)).toEqual([])
    await form.getByLabel('Card').fill('4242')
    await pay.click()
    await hears(page, 'Paid in full')
    expect(await page.locator('.chat').innerText()).not.toMatch(/pk_live|_secret/)
    expect([...new Set(foreign)]).toEqual([
      'https://js.stripe.com/v3/',
      'https://api.stripe.com/v1/payment_intents/pi_1',
      'https://api.stripe.com/v1/payment_intents/pi_1/confirm',
    ])
    expect(complaints).toEqual([])
  })

  it('goes on where a payment was made before the page could say so', async () => {
    const { page } = await open('/health')
    await actProvider(page.context(), providers)
    providers.isPaid = true
    await page.goto(`${pages.service.address}/f/paying`)
    await page.getByRole('button', { name: 'Pay now' }).click()
    await hears(page, 'Paid in full')
  })

  it('is told where nothing can be paid: no account, a form that fails, a provider that is out of reach', async () => {
    const { page } = await open('/f/unpayable')
    await page.getByText('can’t be paid at present').waitFor()
    await actProvider(page.context(), providers)
    providers.isPaid = false
    await page.goto(`${pages.service.address}/f/paying`)
    await page.getByRole('region').frameLocator('iframe').getByLabel('Card').fill('broken')
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('alert').getByText('can’t be paid at present').waitFor()
    await page.context().unrouteAll()
    await page.context().route('https://js.stripe.com/**', (route) => route.abort())
    await page.goto(`${pages.service.address}/f/paying`)
    await page.getByRole('alert').getByText('can’t be paid at present').waitFor()
    expect(await flaws(page)).toEqual([])
  })

  it('looks as the flow says, inside of the conversation', async () => {
    const { page } = await open('/f/dressed', { viewport: { width: 400, height: 150 } })
    await hears(page, 'Two words')
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => {
          const view = element.ownerDocument.defaultView
          return view?.getComputedStyle(element).getPropertyValue(property)
        }, name)
    expect(await styleOf('.chat', 'background-color')).toBe('rgb(16, 32, 48)')
    expect(await styleOf('.bubble.host', 'background-color')).toBe('rgb(68, 85, 102)')
    expect(await styleOf('.bubble.host', 'outline-color')).toBe('rgb(1, 2, 3)')
    expect(await styleOf('body', 'display')).toBe('block')
    await page.getByText('🤖').last().waitFor()
    const progress = page.getByRole('progressbar')
    const before = Number(await progress.getAttribute('aria-valuenow'))
    await say(page, 'Hi')
    await page.getByText('🙂').waitFor()
    await expect
      .poll(async () => Number(await progress.getAttribute('aria-valuenow')))
      .toBeGreaterThan(before)
    expect(await styleOf('.progress div', 'background-color')).toBe('rgb(0, 255, 0)')
    await expect
      .poll(() => page.locator('.scroll').evaluate((scroller) => scroller.scrollTop))
      .toBeGreaterThan(0)
    const { y = 0, height = 0 } = (await progress.boundingBox()) ?? {}
    expect(y + height).toBe(150)
  })

  it('stops the film behind the conversation', async () => {
    const { page } = await open('/health', { reducedMotion: 'no-preference' })
    const film = await page.evaluate<string>(`new Promise((resolve) => {
      const canvas = document.createElement('canvas')
      const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
      recorder.ondataavailable = async ({ data }) => resolve(btoa(String.fromCharCode(...(await data.bytes()))))
      const draw = setInterval(() => canvas.getContext('2d').fillRect(0, 0, Math.random() * 300, 9), 20)
      recorder.start()
      setTimeout(() => recorder.stop(clearInterval(draw)), 500)
    })`)
    await page.route('https://shop.example/film.webm', (route) =>
      route.fulfill({ contentType: 'video/webm', body: Buffer.from(film, 'base64') }),
    )
    await page.goto(`${pages.service.address}/f/filmed`)
    const isStill = () => page.locator('video').evaluate((video) => 'paused' in video && video.paused)
    await page.getByRole('button', { name: 'Video: Pause' }).click()
    expect(await isStill()).toBe(true)
    expect(await flaws(page)).toEqual([])
    await page.getByRole('button', { name: 'Video: Play' }).click()
    expect(await isStill()).toBe(false)
  })

  it('wears style sheets that were written elsewhere, and lets what is half opaque be read', async () => {
    const { page } = await open('/f/styled', { viewport: { width: 1000, height: 500 } })
    await say(page, 'Ada')
    await page.getByRole('button', { name: 'Blue' }).click()
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const view = element.ownerDocument.defaultView
          const { outlineColor, opacity, backgroundColor, borderColor, backdropFilter } =
            view?.getComputedStyle(element) ?? {}
          const { top, height } = element.getBoundingClientRect()
          return { outlineColor, opacity, backgroundColor, borderColor, backdropFilter, top, height }
        })
    for (const [index, selector] of Object.values(foreignNames).entries())
      expect([selector, (await look(selector)).outlineColor]).toEqual([selector, `rgb(1, 2, ${index})`])
    expect(await look('.bubble.host')).toMatchObject({
      opacity: '1',
      backgroundColor: expect.stringMatching(/ 0\.2\)$/),
      borderColor: expect.stringMatching(/ 0\.5\)$/),
    })
    expect(await look('.frame')).toMatchObject({
      backgroundColor: expect.stringMatching(/ 0\.5\)$/),
      backdropFilter: 'blur(5px)',
    })
    // The bar is of the window, and the frame a part of what is left.
    expect((await look('.progress')).top).toBe(0)
    expect((await look('.frame')).height).toBeLessThanOrEqual(400)
    const fonts = await page.evaluate('[...document.fonts].map(({ family }) => family)')
    expect(fonts).toEqual(['Own'])
  })

  it('shows where the focus is, what is chosen and how far it is in the colours that a system forces', async () => {
    const { page } = await open('/f/styled', { forcedColors: 'active' })
    await say(page, 'Ada')
    await page.getByRole('button', { name: 'Red' }).press('Enter')
    await page.keyboard.press('ArrowDown')
    const look = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { backgroundColor, outlineWidth } =
          element.ownerDocument.defaultView?.getComputedStyle(element) ?? {}
        return { backgroundColor, outlineWidth }
      })
    const [chosen, focused] = [await look('[data-itemid=red]'), await look('[data-itemid=blue]')]
    expect(chosen.backgroundColor).not.toBe(focused.backgroundColor)
    expect([chosen.outlineWidth, focused.outlineWidth]).toEqual(['1px', '3px'])
    expect((await look('.progress div')).backgroundColor).not.toBe((await look('.progress')).backgroundColor)
    expect(await flaws(page)).toEqual([])
  })

  it('waits for what is typed as long as the flow says', async () => {
    const { page } = await open('/health', { reducedMotion: 'no-preference' })
    await page.clock.install()
    await page.goto(`${pages.service.address}/f/dressed`)
    await hears(page, 'One')
    await page.getByRole('status').getByText('on its way').waitFor()
    expect(await page.getByText('Two words').count()).toBe(0)
    await page.clock.fastForward(120_000)
    await hears(page, 'Two words')
  })
})
