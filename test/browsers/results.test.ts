import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { share as inPercent } from '../../pages/results/state/figures.ts'
import type { Analytics } from '../../schemas/analytics.ts'
import type { ResultPageBody } from '../../schemas/result.ts'
import { installedChromium, takePicture } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { findWays, playWays, type Way } from './play-ways.ts'

const [adminToken, resultsToken] = ['admin-token-of-results', 'results-token-of-results']
const flow = 'lead-form'
const made = 5000

/** What visitors of the flow may say: some of it is refused. */
const explore = {
  depth: 12,
  vars: { utm_source: ['search', 'mail', 'shop'] },
  says: {
    'b-name': ['Ada', 'Grace', 'Linus', 'Margaret', 'Ken', 'Barbara', 'علي', 'Zoë'],
    'b-team': [1, 12, 80, 99_999],
    'b-brief': ['A new logo', 'A talk', 'Advice'],
    'b-mail': [
      'ada@shop.example',
      'grace@shop.example',
      'ken@shop.example',
      'zoe@shop.example',
      'no address',
    ],
    'b-phone': ['+442079460018'],
    'b-site': ['https://shop.example'],
    'b-date': ['2026-12-24 10:30'],
  },
}

/** The number that a text begins with, as people write it. */
const numberIn = (text: string) => Number(/^[\d,]+/.exec(text.trim())?.[0].replaceAll(',', ''))

describe.each(installedChromium('what readers of results see'))('results, in %s', (executablePath) => {
  let pages: OpenedPages
  let ways: readonly Way[]

  beforeAll(async () => {
    const sample = JSON.parse(await readFile(join(import.meta.dirname, `../../flows/${flow}.json`), 'utf8'))
    const variables = [...sample.variables, { id: 'vUtm', name: 'utm_source' }]
    pages = await openPages(executablePath, [{ ...sample, variables }], {
      ADMIN_TOKEN: adminToken,
      RESULTS_TOKEN: resultsToken,
      RATE_LIMIT_MAX: '0',
    })
    ways = await findWays(join(pages.folder, `${flow}.json`), explore, made)
    await playWays(pages.service.address, flow, ways)
  })

  afterAll(() => pages?.close())

  async function ask<Answer>(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${adminToken}` }
    const response = await fetch(`${pages.service.address}/v1/flows/${flow}${path}`, { headers })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }
  async function listAll(filter: Readonly<Record<string, string>> = {}): Promise<ResultPageBody['results']> {
    const query = new URLSearchParams({ limit: '500', ...filter })
    const { results, nextCursor } = await ask<ResultPageBody>(`/results?${query}`)
    return nextCursor === undefined
      ? results
      : [...results, ...(await listAll({ ...filter, cursor: nextCursor }))]
  }
  async function open(query = '', options?: Parameters<OpenedPages['open']>[1]) {
    const opened = await pages.open(`/results?flow=${flow}${query}`, options)
    await opened.page.locator('.tile strong').first().waitFor()
    return opened
  }
  const useToken = async (page: Page, token: string) => {
    const field = page.getByRole('textbox', { name: 'Token' })
    if (!(await field.isVisible())) await page.locator('footer summary').click()
    await field.fill(token)
    await page.keyboard.press('Enter')
  }
  const openAs = async (token: string, query = '') => {
    const opened = await open(query)
    await useToken(opened.page, token)
    await opened.page.locator('.tile strong').first().waitFor()
    return opened
  }
  const view = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

  it('shows the numbers that the API has', async () => {
    const { page, complaints } = await open()
    const { conversations, started, completed, blocks, items } = await ask<Analytics>('/analytics')
    expect([conversations, started, completed]).toEqual([
      made,
      ways.filter(({ said }) => said.length > 0).length,
      ways.filter(({ isOver }) => isOver).length,
    ])
    const tiles = (await page.locator('.tile strong').allInnerTexts()).slice(0, 3)
    expect(tiles.map(numberIn)).toEqual([conversations, started, completed])
    for (const [blockId, words] of [
      ['b-name', 'Your name'],
      ['b-topic', 'What can we help you with?'],
      ['b-team', 'How many people are you?'],
      ['b-brief', 'We would like to…'],
      ['b-mail', 'Where shall we send the offer?'],
      ['b-phone', 'Phone, if you like a call'],
      ['b-site', 'Your present website'],
      ['b-date', 'When does a call suit you?'],
    ] as const) {
      const counts = blocks.find((block) => block.blockId === blockId)
      const cells = await row(page, words).getByRole('cell').allInnerTexts()
      const [asked = '', , answered = '', refused = '', waiting = ''] = cells
      expect({ blockId, numbers: [asked, answered, refused, waiting].map(numberIn) }).toEqual({
        blockId,
        numbers: [counts?.asked, counts?.answered, counts?.refused, counts?.waiting],
      })
    }
    await view(page, 'Questions')
    const topics = page.getByRole('region', { name: 'What can we help you with?' })
    for (const [itemId, words] of [
      ['i-site', 'A new website'],
      ['i-shop', 'An online shop'],
      ['i-brand', 'A brand of our own'],
      ['i-else', 'Something else'],
    ] as const) {
      const [, count = ''] = await row(page, words)
        .and(topics.getByRole('row'))
        .getByRole('cell')
        .allInnerTexts()
      expect(numberIn(count)).toBe(items.find((item) => item.itemId === itemId)?.count)
    }
    expect(complaints).toEqual([])
  })

  it('compares cohorts by the numbers that the API has', async () => {
    const { page } = await open('&view=compare&by=utm_source')
    const { cohorts = [] } = await ask<Analytics>('/analytics?by=utm_source')
    expect(cohorts.map(({ value }) => value).sort()).toEqual(explore.vars.utm_source.toSorted())
    // The ways of the last were cut off before they ended.
    expect(new Set(cohorts.map(({ completed }) => completed.difference)).size).toBeGreaterThan(1)
    for (const { value = '', conversations, completed } of cohorts) {
      const cells = await row(page, value).getByRole('cell').allInnerTexts()
      const percents = ({ share, low, high }: typeof completed) => [share, low, high].map(inPercent)
      expect(numberIn(cells[0] ?? '')).toBe(conversations)
      expect(cells.at(-1)?.match(/[\d.]+ %/g)).toEqual(percents(completed))
    }
  })

  it('leads from a number to the conversations that it counts', async () => {
    const { page } = await open()
    const ended = page.getByRole('button', { name: /^Show the .* that ended at/ }).first()
    const count = numberIn(await ended.innerText())
    await ended.click()
    const leftAt = page.getByRole('combobox', { name: 'Left at' })
    expect(await leftAt.locator('option:checked').innerText()).not.toBe('')
    let seen = 0
    for (;;) {
      await page.locator('.pager[aria-busy="false"]').waitFor()
      seen += await page.locator('.answers tbody tr').count()
      const next = page.getByRole('button', { name: 'Next ›' })
      if (await next.isDisabled()) break
      const before = await page.locator('.pager span').innerText()
      await next.click()
      await expect.poll(() => page.locator('.pager span').innerText()).not.toBe(before)
    }
    expect(seen).toBe(count)
  })

  it('finds answers, and holds what was chosen in its address', async () => {
    const { page } = await open('&view=answers')
    await page.getByLabel('Search').fill('margaret')
    const found = await listAll({ text: 'margaret' })
    expect(found.length).toBeGreaterThan(50)
    const readRows = () => page.locator('.answers tbody tr').allInnerTexts()
    await expect.poll(async () => (await readRows()).filter((text) => /margaret/i.test(text)).length).toBe(50)
    expect((await readRows()).join()).toContain('A new website')
    await page.getByRole('combobox', { name: 'State' }).selectOption('Completed')
    await expect.poll(() => page.url()).toContain('stage=completed')
    await page.reload()
    await page.locator('.answers tbody tr').first().waitFor()
    for (const text of await page.locator('.answers tbody tr').allInnerTexts())
      expect(text).toContain('Completed')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Your name' }).uncheck()
    expect(await page.getByRole('columnheader', { name: 'Your name' }).count()).toBe(0)
  })

  it('finds the conversations in which a choice was made', async () => {
    const { page } = await open('&view=answers&period=all')
    await page.getByRole('combobox', { name: 'Chosen' }).selectOption({ label: 'An online shop' })
    await expect.poll(() => page.url()).toContain('answeredAt=b-topic')
    const found = await listAll({ answer: 'shop', answeredAt: 'b-topic' })
    expect(found.length).toBeGreaterThan(50)
    const rows = page.locator('.answers tbody tr')
    await expect
      .poll(async () => (await rows.allInnerTexts()).filter((text) => text.includes('An online shop')).length)
      .toBe(50)
  })

  it('sorts the table by a column, and says of how many', async () => {
    const { page } = await open('&view=answers&period=all&stage=completed')
    const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
    const column = async (name: string) => {
      const heads = await page.getByRole('columnheader').allInnerTexts()
      const nth = heads.findIndex((text) => text.startsWith(name)) + 1
      return page.locator(`.answers tbody tr > :nth-child(${nth})`).allInnerTexts()
    }
    await page.locator('.answers tbody tr').first().waitFor()
    await head('How many people are you?').click()
    const found = await listAll({ completed: 'true' })
    const teams = found.flatMap(({ answers }) => {
      const [answer] = answers.filter(({ blockId }) => blockId === 'b-team')
      return answer ? [Number(answer.content)] : []
    })
    const latest = teams.slice(0, 2000)
    expect(new Set(latest).size).toBeGreaterThan(1)
    const shown = async () => [...new Set(await column('How many people are you?'))]
    await expect.poll(shown).toEqual([String(Math.min(...latest))])
    await head('How many people are you?').click()
    await expect.poll(shown).toEqual([String(Math.max(...latest))])
    await page.getByRole('button', { name: 'Next ›' }).click()
    await page.getByText('Page 2').waitFor()
    await expect.poll(shown).toEqual([String(Math.max(...latest))])
    await page.reload()
    await expect.poll(shown).toEqual([String(Math.max(...latest))])
    const isCut = page.getByText(/^Sorted are the 2,000 that have begun last/)
    expect(await isCut.count()).toBe(found.length > 2000 ? 1 : 0)
    await page.getByRole('combobox', { name: 'State' }).selectOption('Any')
    await isCut.waitFor()
    await head('Begun').click()
    await expect.poll(() => isCut.count()).toBe(0)
  })

  it('saves all that the table is narrowed to as a file', async () => {
    const { page } = await open('&view=answers&stage=completed')
    await page.getByText('Export', { exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'A line of JSON each (NDJSON)' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    const ids = (await listAll({ completed: 'true' })).map(({ id }) => id)
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(ids.sort())
  })

  it('draws the traffic of the flow in its graph', async () => {
    const { page, complaints } = await pages.open(`/try?flow=${flow}`)
    await page.getByRole('button', { name: 'Traffic' }).click()
    const { edges, conversations } = await ask<Analytics>('/analytics')
    for (const { edgeId, count } of edges) {
      const badge = page.locator(`[data-edge="${edgeId}"] .badge`)
      const share = Math.round((count / conversations) * 100)
      // Until the traffic has come, the graph shows the way of the conversation.
      await expect.poll(() => badge.textContent()).toBe(`${share} %, ${count.toLocaleString('en')}`)
    }
    expect(complaints).toEqual([])
  })

  it('works by keys, and shows a conversation as its visitor saw it', async () => {
    const { page } = await open('&view=answers')
    const opener = page.getByRole('button', { name: /^Open the conversation/ }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary')
    await panel.locator('.bubble.host', { hasText: 'nice of you to drop by' }).waitFor()
    expect(await panel.locator('.bubble.host b, .bubble.host strong').first().innerText()).toBe(
      'within one working day',
    )
    await page.keyboard.press('Escape')
    await expect.poll(() => panel.count()).toBe(0)
    expect(await opener.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('compares nothing where all conversations are alike', async () => {
    const { page } = await open('&view=compare&by=version')
    await page.getByText('there is nothing to compare them with').waitFor()
    expect(await page.getByText('no difference shown').count()).toBe(0)
  })

  it('lets a conversation be opened however wide the table is', async () => {
    const { page } = await open('&view=answers')
    await page.setViewportSize({ width: 700, height: 800 })
    const opener = page.getByRole('button', { name: /^Open the conversation/ }).first()
    await opener.waitFor()
    const isCut = await page
      .locator('.wide')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    const { x, width } = (await opener.boundingBox())!
    expect({ isCut, isInside: x + width <= 700 }).toEqual({ isCut: true, isInside: true })
  })

  it('erases what was picked once somebody has confirmed how many', async () => {
    const { page } = await openAs(adminToken, '&view=answers&period=all')
    const total = (await listAll()).length
    for (const index of [0, 1])
      await page
        .getByLabel(/^Pick the conversation/)
        .nth(index)
        .check()
    await page.getByRole('button', { name: 'Erase 2' }).click()
    await page.getByRole('button', { name: 'Erase these 2 conversations' }).click()
    await page.getByText('2 conversations are erased.').waitFor()
    expect((await listAll()).length).toBe(total - 2)
  })

  it('erases all that match once somebody has confirmed how many, and never more', async () => {
    const text = 'Barbara'
    const { page } = await openAs(adminToken, `&view=answers&period=all&text=${text}`)
    const total = (await listAll()).length
    const { length } = await listAll({ text })
    expect(length).toBeGreaterThan(50)
    const inWords = (many: number) => `Erase all ${many.toLocaleString('en')} that match`
    await page.getByRole('button', { name: 'Erase all that match' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Erase/ })
    await confirm.waitFor()
    expect(await confirm.innerText()).toBe(inWords(length))
    expect(await flaws(page)).toEqual([])
    await playWays(pages.service.address, flow, [{ vars: {}, said: [{ type: 'text', text }], isOver: false }])
    await confirm.click()
    await page.getByText('More match now than a moment ago, so none is erased yet.').waitFor()
    expect(await confirm.innerText()).toBe(inWords(length + 1))
    expect((await listAll()).length).toBe(total + 1)
    await confirm.click()
    await page.getByText(`${(length + 1).toLocaleString('en')} conversations are erased.`).waitFor()
    await page.getByRole('heading', { name: 'No conversation is like that' }).waitFor()
    expect([(await listAll({ text })).length, (await listAll()).length]).toEqual([0, total - length])
  })

  it('takes a conversation over, writes in it and hands it back', async () => {
    const { page } = await openAs(adminToken, '&view=now')
    await page
      .getByRole('button', { name: /^Open the conversation/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByLabel('Message to the visitor').fill('How can I help?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.panel .bubble.host', { hasText: 'How can I help?' }).waitFor()
    await page.getByRole('button', { name: 'Hand back to the flow' }).click()
    await page.getByRole('button', { name: 'Take over' }).waitFor()
  })

  it('only reads for a token that only reads', async () => {
    const { page } = await openAs(resultsToken, '&view=now')
    await page
      .getByRole('button', { name: /^Open the conversation/ })
      .first()
      .click()
    await page.locator('.panel .bubble.host').first().waitFor()
    for (const name of ['Take over', /^Erase/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByLabel(/^Pick the conversation/).count()).toBe(0)
  })

  it('asks for a token, and says that one is wrong', async () => {
    const { page } = await open()
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Who reads answers needs a token' }).waitFor()
    expect(await flaws(page)).toEqual([])
    await useToken(page, 'another-token-than-that')
    await page.getByRole('heading', { name: 'This token opens nothing' }).waitFor()
    await useToken(page, resultsToken)
    await page.locator('.tile strong').first().waitFor()
  })

  it('says that nobody has come yet', async () => {
    const { page } = await pages.open('/results?flow=coffee-bar')
    await page.getByRole('heading', { name: 'Nobody has talked to this flow in this time' }).waitFor()
    await view(page, 'All')
    await page.getByRole('heading', { name: 'Nobody has talked to this flow yet' }).waitFor()
  })

  it.each(['light', 'dark'] as const)('stands in nobody’s way, %s', async (colorScheme) => {
    const { page, complaints } = await open('', { colorScheme })
    for (const name of ['Funnel', 'Questions', 'Compare', 'Conversations', 'Going on']) {
      await view(page, name)
      await page.getByRole('region', { name, exact: true }).locator('table').first().waitFor()
      expect({ name, flaws: await flaws(page) }).toEqual({ name, flaws: [] })
    }
    await page
      .getByRole('button', { name: /^Open the conversation/ })
      .first()
      .click()
    await page.locator('.panel .bubble.host').first().waitFor()
    expect(await flaws(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it.each([320, 390])('needs no sideways scrolling at %d px, and keeps its menus within', async (width) => {
    const { page } = await open('', { viewport: { width, height: 800 } })
    for (const name of ['Funnel', 'Questions', 'Compare', 'Conversations']) {
      await view(page, name)
      await page.getByRole('region', { name, exact: true }).locator('table').first().waitFor()
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width])
    }
    await page.getByText('Columns', { exact: true }).click()
    const { x = -1, width: taken = width } =
      (await page.getByRole('group', { name: 'Columns of the table' }).boundingBox()) ?? {}
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + taken).toBeLessThanOrEqual(width)
  })

  it('has no empty strip above the headings of a table that is scrolled on a phone', async () => {
    const { page } = await open('', { viewport: { width: 375, height: 800 } })
    for (const name of ['Funnel', 'Compare']) {
      await view(page, name)
      await page.getByRole('region', { name, exact: true }).locator('thead th').first().waitFor()
      const lines = (await page.evaluate(`[...document.querySelectorAll('.view thead th')].map((cell) =>
        Math.round(cell.clientHeight / Number.parseFloat(getComputedStyle(cell).lineHeight)))`)) as number[]
      expect([name, Math.max(...lines)]).toEqual([name, 2])
    }
  })

  it.runIf(process.env['PICTURES'] === '1')('is pictured', async () => {
    const { page } = await open('', { viewport: { width: 1280, height: 800 } })
    await page.getByRole('table').waitFor()
    await takePicture(page, 'results')
  })
})

describe.each(installedChromium('that nothing is kept'))(
  'results that are not kept, in %s',
  (executablePath) => {
    let pages: OpenedPages

    beforeAll(async () => {
      pages = await openPages(executablePath, [])
    })

    afterAll(() => pages?.close())

    it('are told to be none', async () => {
      const { page } = await pages.open('/results')
      await page.getByRole('heading', { name: 'This service keeps no answers' }).waitFor()
    })
  },
)
