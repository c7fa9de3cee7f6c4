import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainOfGroups } from '../pages/chain-of-groups.ts'
import { installedChromium } from './chromium.ts'
import { type OpenedPages, openPages } from './open-pages.ts'

const steps = 30

const desktop = { viewport: { width: 1400, height: 800 } }

describe.each(installedChromium('the graph of a flow'))('the graph of a flow, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [chainOfGroups(500)])
  })

  afterAll(() => pages?.close())

  const graph = (page: Page) => page.getByRole('region', { name: 'Graph' })
  const drawn = (page: Page) =>
    graph(page)
      .locator('[data-node]')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-node')))

  /** Moves the drawing step by step, as a person does. Returns in how many frames it was seen at another place or size. */
  async function countFrames(page: Page, step: (nth: number) => Promise<void>): Promise<number> {
    await page.evaluate(`
      globalThis.seen = new Set()
      const look = () => {
        seen.add(document.querySelector('.graph svg > g').getAttribute('transform'))
        globalThis.frame = requestAnimationFrame(look)
      }
      look()
    `)
    for (let nth = 1; nth <= steps; nth++) await step(nth)
    return page.evaluate<number>('cancelAnimationFrame(frame), seen.size - 1')
  }

  it('draws what is in sight of 500 groups while it is moved and zoomed, and all of them from afar', async () => {
    const { page, complaints } = await pages.open('/try?flow=chain-of-500', desktop)
    await graph(page).locator('[data-block="b0-2"].isCurrent').waitFor()
    const before = await drawn(page)
    expect(before).toContain('g0')
    expect(before.length).toBeLessThan(60)
    await graph(page)
      .locator('svg')
      .first()
      .hover({ position: { x: 300, y: 500 } })
    await page.mouse.down()
    const dragged = await countFrames(page, (nth) => page.mouse.move(900 - nth * 16, 500 - nth * 4))
    await page.mouse.up()
    expect(dragged).toBeGreaterThan(steps / 2)
    const after = await drawn(page)
    expect(after.length).toBeLessThan(60)
    expect(after.filter((id) => !before.includes(id)).length).toBeGreaterThan(0)
    const zoomed = await countFrames(page, (nth) => page.mouse.wheel(0, nth % 10 < 5 ? 60 : -60))
    expect(zoomed).toBeGreaterThan(steps / 2)
    expect((await drawn(page)).length).toBeLessThan(60)
    await page.getByRole('button', { name: 'Fit' }).click()
    await expect.poll(async () => (await drawn(page)).length).toBe(501)
    expect(await graph(page).locator('.row').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('shows the way that was taken, and why, for a block or an edge that is chosen', async () => {
    const { page } = await pages.open('/try?flow=chain-of-500', desktop)
    await page.locator('.ask').getByRole('button', { name: 'On' }).click()
    await graph(page).locator('[data-block="b1-2"].isCurrent').waitFor()
    await expect.poll(() => graph(page).locator('.edge.taken .badge').allTextContents()).toEqual(['1', '2'])
    await graph(page).locator('[data-block="b0-1"]').click()
    const inspector = page.getByRole('region', { name: 'Inspector' })
    await inspector.getByRole('heading', { name: 'Group 0: Set variable', level: 2 }).waitFor()
    await graph(page).locator('[data-edge="e0"] .badge').click()
    await inspector.getByRole('heading', { name: 'The way to Group 1', level: 2 }).waitFor()
  })

  it('is walked through by keys', async () => {
    const { page } = await pages.open('/try?flow=chain-of-500', desktop)
    await graph(page).locator('[data-block="b0-2"].isCurrent').waitFor()
    await graph(page).locator('svg').first().focus()
    const focused = () => page.locator(':focus').getAttribute('data-block')
    for (const [key, block] of [
      ['Enter', 'b0-2'],
      ['ArrowUp', 'b0-1'],
      ['ArrowDown', 'b0-2'],
      ['ArrowRight', 'b1-0'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(block)
    }
    await page.keyboard.press('b')
    await graph(page).locator('[data-block="b1-0"] .breakpoint').waitFor()
    await page.keyboard.press('s')
    await page.getByText('It begins at “Group 1: Part 1”').waitFor()
    // It stops before the block, which has not said anything then.
    await page.getByText('Turn 1, 0 of 3 blocks done').waitFor()
    expect(await page.locator('.bubble.host').count()).toBe(0)
  })
})
