import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../client/client.ts'
import type { Analytics } from '../../schemas/analytics.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { installedChromium } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'

const adminToken = 'admin-token-of-traffic'
const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }

const choice = (items: Readonly<Record<string, string>>) => ({
  id: 'c1',
  type: 'choice input',
  items: Object.entries(items).map(([content, outgoingEdgeId]) => ({
    id: `i-${content}`,
    content,
    outgoingEdgeId,
  })),
})
const begin = bubble('b1', 'What may it be?')
const [tea, coffee] = [
  [bubble('b2', 'Which tea?'), textInput('i1')],
  [bubble('b3', 'Which coffee?'), textInput('i2')],
]
const named = { id: 'drinks', publicId: 'drinks', name: 'Drinks' }
const former = wholeDefinition({
  ...named,
  groups: { a: [begin, choice({ Tea: 'e1', Coffee: 'e2' })], b: tea, c: coffee },
  edges: { e1: 'b', e2: 'c' },
})
const latter = wholeDefinition({
  ...named,
  groups: { a: [begin, choice({ Tea: 'e1', Juice: 'e3' })], b: tea, d: [bubble('b4', 'We have none.')] },
  edges: { e1: 'b', e3: 'd' },
})
/** Whoever is silent for the shortest time that there is has left. */
const brief = wholeDefinition({
  id: 'brief',
  publicId: 'brief',
  name: 'Brief',
  groups: { a: [bubble('b1', 'Who are you?'), textInput('i1'), bubble('b2', 'Bye')] },
  settings: { general: { sessionTtl: 'PT1M' } },
})

describe.each(installedChromium('the traffic of two versions'))('the traffic of a flow, in %s', (path) => {
  let pages: OpenedPages
  const hashes: string[] = []

  beforeAll(async () => {
    pages = await openPages(path, [], { ADMIN_TOKEN: adminToken })
    await publish(brief)
    await hold('brief', [], ['Ada'], [], ['Bob'], ['Zoë'], [])
    await publish(former)
    await hold('drinks', ['Tea', 'Green'], ['Tea'], ['Tea'], ['Coffee', 'Black'], [])
    await publish(latter)
    await hold('drinks', ['Tea', 'Black'], ['Tea', 'Green'], ['Juice'])
  })

  afterAll(() => pages?.close())

  async function publish(definition: object & { readonly id?: unknown }): Promise<void> {
    const asked = { method: 'PUT', headers, body: JSON.stringify(definition) }
    const response = await fetch(`${pages.service.address}/v1/flows/${definition.id}`, asked)
    expect(response.status).toBeLessThan(300)
    if (definition === brief) return
    const { versions } = await ask<{ versions: { hash: string }[] }>('/versions')
    hashes.push(versions[0]?.hash ?? '')
  }
  async function ask<Answer>(what: string, flow = 'drinks'): Promise<Answer> {
    const response = await fetch(`${pages.service.address}/v1/flows/${flow}${what}`, { headers })
    return (await response.json()) as Answer
  }
  async function hold(flow: string, ...all: readonly string[][]): Promise<void> {
    const client = createClient({ address: pages.service.address })
    for (const replies of all) {
      const { conversation } = await client.start(flow)
      for (const text of replies) await conversation.reply({ type: 'text', text })
    }
  }
  async function openTraffic(look: Parameters<OpenedPages['open']>[1] = {}, flow = 'drinks') {
    const size = { viewport: { width: 1600, height: 900 } }
    const opened = await pages.open(`/try?flow=${flow}`, { ...size, ...look })
    await opened.page.getByRole('button', { name: 'Traffic' }).click()
    await opened.page.locator('figcaption').waitFor()
    return opened
  }
  const compare = async (page: Page) => {
    await page.getByRole('combobox', { name: 'Version' }).selectOption(hashes[0] as string)
    await page.getByRole('combobox', { name: 'Beside it' }).selectOption(hashes[1] as string)
    await expect.poll(() => page.locator('figcaption').count()).toBe(2)
  }
  const picture = (page: Page, index: number) => page.locator('.graph figure').nth(index)

  it('is drawn of two versions beside each other, each as the API counts it', async () => {
    const { page, complaints } = await openTraffic()
    expect(await page.locator('figcaption').innerText()).toContain('All versions: 8 conversations')
    await compare(page)
    for (const [index, hash] of hashes.entries()) {
      const counts = await ask<Analytics>(`/analytics?version=${hash}`)
      const drawn = picture(page, index)
      const waiting = counts.blocks.reduce((sum, block) => sum + block.waiting, 0)
      expect(await drawn.locator('figcaption').innerText()).toContain(
        `: ${counts.conversations} conversations, ${Math.round((counts.started / counts.conversations) * 100)} % started, ${Math.round((counts.completed / counts.conversations) * 100)} % completed, ${waiting} wait now`,
      )
      for (const { edgeId, count } of counts.edges) {
        const badge = drawn.locator(`[data-edge="${edgeId}"] .badge`)
        if (edgeId === 'e2') expect(await badge.count()).toBe(0)
        else
          expect(await badge.textContent()).toBe(
            `${Math.round((count / counts.conversations) * 100)} %, ${count}`,
          )
      }
      for (const { blockId, waiting: here } of counts.blocks) {
        const row = drawn.locator(`[data-block="${blockId}"]`)
        if ((await row.count()) > 0)
          expect(/(\d+) wait here now/.exec((await row.getAttribute('aria-label')) ?? '')?.[1]).toBe(
            here > 0 ? String(here) : undefined,
          )
      }
    }
    // What nobody sees in the drawing is told.
    const captions = await page.locator('figcaption').allInnerTexts()
    expect(captions.map((text) => /\d+ blocks and \d+ ways?/.exec(text)?.[0])).toEqual([
      '2 blocks and 1 way',
      undefined,
    ])
    expect(captions[1]).toContain('(now)')
    expect(complaints).toEqual([])
  })

  it('is of the days that are chosen', async () => {
    const { page } = await openTraffic()
    const count = (many: number) =>
      expect.poll(() => page.locator('figcaption').innerText()).toContain(`: ${many} conv`)
    await page.getByRole('button', { name: 'Today' }).click()
    await count(8)
    await page.getByLabel('From this day').fill('2026-01-01')
    await page.getByLabel('Until this day').fill('2026-01-31')
    await count(0)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await count(8)
    await page.getByRole('button', { name: 'Traffic' }).click()
    await expect.poll(() => page.locator('figcaption').count()).toBe(0)
  })

  it('is walked through by keys in either picture, which move together', async () => {
    const { page } = await openTraffic()
    await compare(page)
    const [one, other] = [0, 1].map((index) => picture(page, index).locator('svg > g').first())
    await page.getByRole('application').nth(1).focus()
    await page.keyboard.press('ArrowLeft')
    const moved = await other?.getAttribute('transform')
    expect(await one?.getAttribute('transform')).toBe(moved)
    await page.keyboard.press('Enter')
    await expect.poll(() => picture(page, 1).locator(':focus[data-block]').count()).toBe(1)
  })

  it.each([
    { device: 'desktop', viewport: { width: 1600, height: 900 }, colorScheme: 'light' },
    { device: 'desktop', viewport: { width: 1600, height: 900 }, colorScheme: 'dark' },
    { device: 'phone', viewport: { width: 390, height: 780 }, colorScheme: 'dark' },
  ] as const)('has nothing in the way of anybody on a $device, $colorScheme', async ({ device, ...look }) => {
    const { page, complaints } = await pages.open('/try?flow=drinks', look)
    if (device === 'phone') await page.getByRole('button', { name: 'Graph' }).click()
    await page.getByRole('button', { name: 'Traffic' }).click()
    await page.locator('figcaption').waitFor()
    await compare(page)
    expect(await flaws(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.viewport.width)
    expect(complaints).toEqual([])
  })

  it('is printed without what only a screen has', async () => {
    const { page } = await openTraffic({ colorScheme: 'dark' })
    await compare(page)
    await page.emulateMedia({ media: 'print' })
    for (const name of ['.toolbar', '.talk', '.drawer', '.graph-tools', '.days'])
      expect(await page.locator(name).first().isVisible()).toBe(false)
    // Of the times the one that is chosen.
    expect(await page.locator('.periods button:visible').allInnerTexts()).toEqual(['All'])
    for (const index of [0, 1]) {
      const box = await picture(page, index).locator('svg').first().boundingBox()
      expect(box?.height).toBeGreaterThan(100)
    }
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe('rgb(255, 255, 255)')
  })

  it('has a mark where people have left, with their share of those who were asked', async () => {
    const counted = async () => {
      const { blocks } = await ask<Analytics>('/analytics', 'brief')
      return blocks.map(({ blockId, asked, left, ended }) => ({ blockId, asked, left, ended }))
    }
    await expect.poll(counted, { timeout: 100_000, interval: 1000 }).toEqual([
      { blockId: 'b1', asked: 0, left: 0, ended: 0 },
      { blockId: 'i1', asked: 6, left: 3, ended: 0 },
      { blockId: 'b2', asked: 0, left: 3, ended: 3 },
    ])
    const { page, complaints } = await openTraffic({}, 'brief')
    const row = page.locator('[data-block="i1"]')
    expect(await row.getAttribute('aria-label')).toContain('−50 % left here')
    expect(await page.locator('.traffic-marks.losing').allTextContents()).toEqual(['−50 %'])
    // Where nothing follows, nobody has left.
    expect(await page.locator('[data-block="b2"]').getAttribute('aria-label')).not.toContain('left here')
    expect(complaints).toEqual([])
  }, 150_000)
})
