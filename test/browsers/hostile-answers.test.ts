import type { TSchema } from '@sinclair/typebox'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientSideAction } from '../../schemas/action.ts'
import { Input } from '../../schemas/input.ts'
import { Message } from '../../schemas/message.ts'
import { Settings } from '../../schemas/settings.ts'
import { Theme } from '../../schemas/theme.ts'
import type { Json } from '../support/json.ts'
import { installedChromium } from './chromium.ts'
import { fillSchema, type Pick } from './fill-schema.ts'
import { type OpenedPages, openPages } from './open-pages.ts'

const starts = '**/v1/flows/*/startChat'

const code = 'parent.owned = self.owned = 1'

const attacks = {
  'an address that is a script': `javascript:${code}//"'><img src=x onerror="${code}"><script>${code}</script>`,
  'a document in an address': `data:text/html,<script>${code}</script>`,
  'an address with a space before it': ` \tjavascript:${code}`,
  'a style sheet': `red;} html, body, main, :host { display: none !important } x { y: url("javascript:${code}")`,
  'markup with handlers': `<svg xmlns="http://www.w3.org/2000/svg" onload="${code}"><a href="javascript:${code}">x</a></svg>`,
}

/** Every kind of a union, with the text wherever it has one. */
const allOf = ({ oneOf }: TSchema, text: string, pick: Pick) =>
  (oneOf as TSchema[]).map((member) => fillSchema(member, text, pick) as Json)

const richText = (text: string) => [
  {
    type: text,
    children: [{ text, [text]: text }],
    onclick: text,
    dangerouslySetInnerHTML: { __html: text },
  },
  { type: 'a', url: text, href: text, children: [{ text }] },
  { type: 'img', url: text, src: text, alt: text, onerror: text },
  ...['script', 'iframe', 'style', 'object', 'form'].map((type) => ({
    type,
    src: text,
    srcdoc: text,
    action: text,
    children: [{ text }],
  })),
]

/** Answers of a service on which a flow has put the same text into all that it can say. */
function answersWith(text: string, pick: Pick) {
  const messages = allOf(Message, text, pick).map((message, index) => ({ ...message, id: `m${index}` }))
  const written = { id: 'rich', type: 'text', content: { type: 'richText', richText: richText(text) } }
  const embed = {
    id: 'embed',
    type: 'embed',
    content: { url: 'https://embed.example', waitForEvent: { isEnabled: true, name: text } },
  }
  const waits = ['listenForWebhook', 'stream']
  const actions = allOf(ClientSideAction, text, pick)
    .filter(({ type }) => !waits.includes(String(type)))
    .map((action) => ({ ...action, expectsDedicatedReply: false, lastBubbleBlockId: undefined }))
  const flow = {
    id: 'hostile',
    theme: fillSchema(Theme, text, pick),
    settings: fillSchema(Settings, text, pick),
  }
  const inputs = allOf(Input, text, pick)
  const start = {
    sessionId: 's',
    resultId: 'r',
    flow,
    messages: [...messages, written, embed],
    clientSideActions: actions,
    progress: 50,
  }
  return { start, inputs }
}

describe.each(installedChromium('hostile answers'))('the page of a visitor, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [])
  })

  afterAll(() => pages?.close())

  it.each(
    Object.entries(attacks).flatMap(([name, text]) =>
      (['first', 'last'] as const).map((pick) => ({ name, text, pick })),
    ),
  )('runs nothing that stands in any text of any answer: $name ($pick)', async ({ text, pick }) => {
    const { page, complaints } = await pages.open('/health')
    const { start, inputs } = answersWith(text, pick)
    for (const input of inputs) {
      await page.unroute(starts)
      await page.route(starts, (route) => route.fulfill({ json: { ...start, input } }))
      // A conversation that is remembered would be gone on with.
      await page.evaluate('localStorage.clear(), sessionStorage.clear()')
      await page.goto(`${pages.service.address}/f/lead-form`)
      await page.locator('.ask').waitFor()
      expect({ input: input['type'], dangers: await dangersIn(page) }).toEqual({
        input: input['type'],
        dangers: [],
      })
    }
    expect(inputs.length).toBeGreaterThan(12)
    expect(await page.locator('#page').isVisible()).toBe(true)
    expect(complaints.filter((line) => /violates|Trusted/i.test(line))).toEqual([])
  })
})

/** What has run, or would run once somebody presses it. */
function dangersIn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = 'owned' in window ? ['it has run'] : []
    const root = document.querySelector('#chat').shadowRoot
    for (const element of [...document.body.querySelectorAll('*'), ...root.querySelectorAll('*')]) {
      const name = element.localName
      if (['script', 'object', 'embed', 'style', 'base', 'meta'].includes(name)) found.push(name)
      if (name === 'iframe' && element.src && new URL(element.src).origin === origin && !element.sandbox.length)
        found.push('a frame of our own origin')
      for (const { name: key, value } of element.attributes) {
        if (key.startsWith('on') || key === 'srcdoc') found.push(name + ' ' + key)
        const isAddress = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href'].includes(key)
        if (isAddress && !/^(https?:|blob:|mailto:|tel:|sms:|\\/|data:image\\/)/.test(value)) found.push(name + ' ' + key + ' ' + value)
      }
    }
    return found
  })()`)
}
