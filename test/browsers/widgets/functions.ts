import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page of one version, in a service that it may ask. */
export interface Stage {
  readonly page: Page
  /** Shows the widget with one of the flows. */
  open(flow: string): Promise<void>
  /** Has the model say the rest of its answer. */
  finishAnswer(): void
  /** Calls the webhook that a result listens for. */
  callWebhook(resultId: string, payload: object): Promise<void>
}

/** Something that widgets do. */
export interface WidgetFunction {
  /** As the table calls it. */
  readonly name: string
  /** What the bundle of every version holds that knows it. */
  readonly word?: string
  play(stage: Stage): Promise<void>
}

const see = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).last().waitFor()

async function fill(page: Page, placeholder: string, words: string): Promise<void> {
  const field = page.getByPlaceholder(placeholder).last()
  await field.fill(words)
  await field.press('Enter')
}

const send = (page: Page) => page.locator('button[type=submit]').last().click()

const pick = (page: Page, words: string) => page.getByText(words, { exact: true }).last().click()

/** A WebSocket that the page has opened, and the service has taken. */
async function nextHandshake(page: Page): Promise<void> {
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  await new Promise((resolve) => wire.once('Network.webSocketHandshakeResponseReceived', resolve))
}

/** Has every kind of bubble come by the element that shows it. */
async function seeBubbles(page: Page): Promise<void> {
  for (const [element, source] of [
    ['img', '$="/picture"'],
    ['video', '$="/film"'],
    ['iframe', '*="youtube"'],
    ['iframe', '$="/frame"'],
    ['audio', '$="/sound"'],
  ]) {
    const shown = page.locator(`${element}[src${source}], ${element} source[src${source}]`)
    await shown.first().waitFor({ state: 'attached' })
  }
}

/** What every version does, or every one since a certain one: by columns of the table. */
export const widgetFunctions: readonly WidgetFunction[] = [
  {
    name: 'starts, goes on',
    async play({ page, open }) {
      await open('talk')
      await see(page, 'Who are you?')
      await fill(page, 'Name', 'Ada')
      await see(page, 'Hello Ada')
    },
  },
  {
    name: 'bubbles',
    async play({ page, open }) {
      await open('bubbles')
      await see(page, 'A text')
      await seeBubbles(page)
      await see(page, 'That was all')
    },
  },
  {
    name: 'inputs',
    async play({ page, open }) {
      await open('inputs')
      await fill(page, 'Name', 'Ada')
      await fill(page, 'Number', '7')
      await fill(page, 'Mail', 'ada@shop.example')
      await fill(page, 'Address', 'https://shop.example')
      await fill(page, 'Phone', '+442079460018')
      await page.locator('input[type=date]').fill('2027-03-04')
      await send(page)
      await pick(page, '4')
      await send(page)
      await pick(page, 'Red')
      await pick(page, 'Salt')
      await pick(page, 'Pepper')
      await page.getByText('Done').last().click()
      await see(page, 'Salt, Pepper')
      await pick(page, 'Dog')
      await see(page, 'That was all')
    },
  },
  {
    name: 'time and cards',
    word: 'time input',
    async play({ page, open }) {
      await open('newer-inputs')
      await page.locator('input[type=time]').fill('10:30')
      await send(page)
      await page.getByText('Take the bike').last().click()
      await see(page, 'That was all')
    },
  },
  {
    name: 'uploads',
    async play({ page, open }) {
      await open('upload')
      const sent = { name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
      await page.locator('input[type=file]').setInputFiles(sent)
      const got = page.getByText(/^Got http/).last()
      const kept = await fetch((await got.innerText()).slice('Got '.length))
      expect(await kept.text()).toBe('%PDF-1.4')
    },
  },
  {
    name: 'payments',
    async play({ page, open }) {
      await open('payment')
      await page
        .getByText(/12[.,]50/)
        .last()
        .waitFor()
      await see(page, 'Form of the provider')
      await send(page)
      await see(page, 'Thank you')
    },
  },
  {
    name: 'asks again',
    async play({ page, open }) {
      await open('refusal')
      await fill(page, 'Mail', 'ada@home')
      await see(page, 'Once more')
      await fill(page, 'Mail', 'ada@shop.example')
      await see(page, 'Hello ada@shop.example')
    },
  },
  {
    name: 'is redirected',
    async play({ page, open }) {
      await open('redirect')
      await page.waitForURL('**/elsewhere')
    },
  },
  {
    name: 'waits',
    async play({ page, open }) {
      await open('wait')
      await see(page, 'After')
      expect(await page.evaluate('delays')).toContain(1250)
    },
  },
  {
    name: "tells a model's answer",
    async play({ page, open }) {
      await open('model')
      await see(page, 'One two')
      await fill(page, 'Name', 'Ada')
      await see(page, 'Bye Ada')
    },
  },
  {
    name: 'streams it as it comes',
    word: 'streamOpenAi',
    async play({ page, open, finishAnswer }) {
      await open('slow-model')
      await see(page, /^One ?$/)
      finishAnswer()
      await see(page, 'One two')
    },
  },
  {
    name: 'survives a reload',
    word: 'chatChunks',
    async play({ page, open }) {
      await open('reload')
      await fill(page, 'Name', 'Ada')
      await page.getByPlaceholder('Plan').waitFor()
      await page.reload()
      await see(page, 'Hello Ada')
      await fill(page, 'Plan', 'None')
      await see(page, 'Bye Ada')
    },
  },
  {
    name: 'knows a visitor',
    async play({ page, open }) {
      await open('return')
      await fill(page, 'Name', 'Bob')
      await see(page, 'Hello Bob')
      // As once the conversation is over, or the flow is published anew: what is left is the id of the result.
      await page.evaluate(`for (const key of Object.keys(localStorage))
        if (!key.startsWith('resultId')) localStorage.removeItem(key)`)
      await page.reload()
      await see(page, 'Welcome Bob!')
    },
  },
  {
    name: 'sends a command',
    word: 'sendCommand',
    async play({ page, open }) {
      await open('command')
      await page.getByPlaceholder('Name').waitFor()
      await page.evaluate("widget.sendCommand('help')")
      await see(page, 'Help is coming')
    },
  },
  {
    name: 'hears a webhook',
    word: 'listenForWebhook',
    async play({ page, open, callWebhook }) {
      const started = page.waitForResponse((response) => response.url().endsWith('/startChat'))
      const listening = nextHandshake(page)
      await open('webhook')
      const { resultId } = await (await started).json()
      await listening
      await callWebhook(resultId, { state: 'paid' })
      await see(page, 'Heard paid')
    },
  },
]
