import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'
import { type EmbeddingSite, openEmbeddingSite, strictPolicy } from './embedding-site.ts'
import { type OpenedPages, openPages } from './open-pages.ts'
import { announcing } from './page-flows.ts'

/** Node of the tree that Chromium gives to screen readers. */
interface AxNode {
  readonly nodeId: string
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly parentId?: string
  readonly childIds?: readonly string[]
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
}

describe.each(installedChromium('what screen readers are told'))(
  'a conversation, in %s',
  (executablePath) => {
    let pages: OpenedPages
    let site: EmbeddingSite

    beforeAll(async () => {
      site = await openEmbeddingSite()
      pages = await openPages(executablePath, [announcing([site.address])])
    })

    afterAll(async () => {
      await pages?.close()
      await site?.close()
    })

    const conversation = [
      'log: Who are you?',
      'focus: textbox "Your answer", Who are you?',
      'log: You: Ada',
      'log: Tea or coffee?',
      'focus: button "Tea", Tea or coffee?',
      'focus: button "Coffee", Tea or coffee?',
      'log: You: Coffee',
      'log: How do we reach you?',
      'focus: textbox "Email address", How do we reach you?',
      'log: You: nobody',
      'log: That does not look like an e-mail address. Please try again.',
      'focus: textbox "Email address", That does not look like an e-mail address. Please try again.',
      'log: You: ada@shop.example',
      'log: That was all',
      'status: This conversation has ended. Start again',
      'focus: generic "Conversation"',
    ]

    it('is announced in its order, with what has the focus, on its page', async () => {
      const { page } = await pages.open('/f/announcing', {})
      const heard = await converse(page, await page.context().newCDPSession(page))
      expect(heard).toEqual(conversation)
    })

    it('is announced alike in the dialog of a widget', async () => {
      const { page } = await pages.open('/health', {})
      const { address } = pages.service
      const line = `<script src="${address}/embed.js" data-flow="announcing" async></script>`
      await page.goto(site.show(line, strictPolicy(address)))
      await page.getByRole('button', { name: 'Open chat' }).press('Enter')
      await page.frameLocator('flow-chat iframe').locator('.ask, .composer').first().waitFor()
      const outside = await page.context().newCDPSession(page)
      // The tree follows what is shown a little later.
      await expect
        .poll(async () => (await readTree(outside)).map(lineOf), { timeout: 8_000 })
        .toContain('dialog "announcing"')
      const frame = page.frames().find((one) => one.url().includes('/f/'))
      if (!frame) throw new Error('no frame')
      expect(await converse(page, await page.context().newCDPSession(frame))).toEqual(conversation)
    })
  },
)

const lineOf = ({ role, name }: AxNode) => `${role?.value} "${name?.value}"`

async function readTree(session: CDPSession): Promise<readonly AxNode[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes as readonly AxNode[]
}

/** Talks by the keyboard, and tells what came in live regions meanwhile, and what had the focus whenever all was said. */
async function converse(page: Page, session: CDPSession): Promise<readonly string[]> {
  const heard: string[] = []
  let before: readonly string[] = []
  const listen = async (last: string) => {
    let now = before
    await expect
      .poll(
        async () => {
          now = announced(await readTree(session))
          return now
        },
        { timeout: 8_000 },
      )
      .toContain(last)
    heard.push(...now.filter((line) => !before.includes(line)))
    before = now
  }
  const say = async (words: string) => {
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  await listen('focus: textbox "Your answer", Who are you?')
  await say('Ada')
  await listen('focus: button "Tea", Tea or coffee?')
  await page.keyboard.press('ArrowDown')
  await listen('focus: button "Coffee", Tea or coffee?')
  await page.keyboard.press('Enter')
  await listen('focus: textbox "Email address", How do we reach you?')
  await say('nobody')
  await listen('focus: textbox "Email address", That does not look like an e-mail address. Please try again.')
  await page.keyboard.press('Control+A')
  await say('ada@shop.example')
  await listen('focus: generic "Conversation"')
  return heard
}

/** The lines of the log, what other live regions say, and what has the focus, with its description or that of its group. */
function announced(nodes: readonly AxNode[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const childrenOf = ({ childIds = [] }: AxNode) => childIds.flatMap((id) => byId.get(id) ?? [])
  const textOf = (node: AxNode): string =>
    node.role?.value === 'StaticText'
      ? (node.name?.value ?? '')
      : childrenOf(node).map(textOf).join(' ').trim()
  const descriptionOf = (node: AxNode | undefined): string | undefined =>
    node && (node.description?.value || descriptionOf(byId.get(node.parentId ?? '')))
  const said = nodes.flatMap((node) => {
    const role = node.role?.value ?? ''
    if (role === 'log') return childrenOf(node).map((line) => `log: ${textOf(line)}`)
    return (role === 'status' || role === 'alert') && textOf(node) ? [`${role}: ${textOf(node)}`] : []
  })
  const focused = nodes.findLast(
    ({ role, properties = [] }) =>
      role?.value !== 'RootWebArea' &&
      properties.some(({ name, value }) => name === 'focused' && value.value === true),
  )
  return focused
    ? [...said, `focus: ${[lineOf(focused), descriptionOf(focused)].filter(Boolean).join(', ')}`]
    : said
}
