import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bubble, leaving, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { installedChromium } from './chromium.ts'
import { type OpenedPages, openPages } from './open-pages.ts'
import { ageCheck, everyInput } from './page-flows.ts'

const greeting = {
  ...wholeDefinition({
    variables: [variable('Name'), variable('Plan', { value: 'free' })],
    groups: {
      a: {
        title: 'First',
        blocks: [bubble('t1', 'Your plan is {{Plan}}'), leaving(textInput('i1', 'vName'), 'e1')],
      },
      b: {
        title: 'Second',
        blocks: [bubble('t2', 'Hi {{Name}}'), textInput('i2'), bubble('t3', 'Bye {{Name}}')],
      },
    },
    edges: { e1: 'b' },
  }),
  id: 'greeting',
  publicId: 'greeting',
  localizations: { fr: { 't1/content/richText/0/children/0/text': 'Votre formule : {{Plan}}' } },
  settings: { typingEmulation: { enabled: false } },
}
const asking = {
  ...wholeDefinition({
    variables: [variable('Answer')],
    blocks: [
      {
        id: 't1',
        type: 'text',
        content: {
          richText: [
            { type: 'p', children: [{ text: 'Which ' }, { text: 'colour', bold: true }, { text: '?' }] },
          ],
        },
      },
      {
        id: 'i1',
        type: 'choice input',
        options: { variableId: 'vAnswer' },
        items: [
          { id: 'x', content: 'Red, or something that is near' },
          { id: 'y', content: 'Blue' },
        ],
      },
      bubble('t2', 'You said {{Answer}}'),
      textInput('i2'),
    ],
  }),
  id: 'asking',
  publicId: 'asking',
}
const pictured = {
  ...wholeDefinition({
    blocks: [
      { id: 'gone', type: 'image', content: { url: 'https://127.0.0.1:1/gone.png' } },
      { id: 'script', type: 'image', content: { url: 'javascript:alert(1)' } },
      textInput('i1'),
    ],
  }),
  id: 'pictured',
  publicId: 'pictured',
}
const resting = {
  ...wholeDefinition({
    variables: [variable('Name')],
    blocks: [textInput('i1', 'vName'), { id: 'w', type: 'Wait', options: { secondsToWaitFor: '86400' } }],
  }),
  id: 'resting',
  publicId: 'resting',
}

const everywhere = { x: 0, y: 0, width: 9_999, height: 9_999 }

describe.each(installedChromium('the bench of authors'))('the bench of authors, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [ageCheck, everyInput, greeting, asking, pictured, resting])
  })

  afterAll(() => pages?.close())

  const open: OpenedPages['open'] = (path, options) =>
    pages.open(path, { viewport: { width: 1280, height: 800 }, ...options })
  const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })
  const see = (page: Page, tab: string) => page.getByRole('tab', { name: tab }).click()
  const heard = (page: Page) => page.locator('.bubble.host').allInnerTexts()
  const waitFor = (page: Page, text: string) =>
    page.locator('.bubble.host', { hasText: text }).last().waitFor()
  const say = async (page: Page, text: string) => {
    await page.locator('.ask .field').fill(text)
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click()
    await page.locator('.bubble.guest', { hasText: text }).last().waitFor()
  }

  it('shows the conversation as a messenger would, with what is cut, and goes on from its buttons', async () => {
    const { page, complaints } = await open('/try?flow=asking')
    await waitFor(page, 'Which colour')
    await page.getByLabel('View').selectOption('whatsapp')
    const log = page.getByRole('log', { name: 'On whatsapp' })
    await log.locator('b', { hasText: 'colour' }).waitFor()
    await log.getByText('is cut; it is whole below the title').waitFor()
    await log.getByRole('button', { name: /^Red, or something that…/ }).click()
    await log.getByText('You said Red, or something that is near').waitFor()
    await log.getByRole('button', { name: 'Blue' }).click()
    await log.getByText('This button is of an earlier turn.').waitFor()
    await page.getByLabel('View').selectOption('telegram')
    const telegram = page.getByRole('log', { name: 'On telegram' })
    await telegram.getByRole('button', { name: 'Red, or something that is near', exact: true }).waitFor()
    expect(await telegram.getByText('is cut').count()).toBe(0)
    await page.getByLabel('View').selectOption('phone')
    await waitFor(page, 'You said Red')
    expect(complaints).toEqual([])
  })

  it('stops at a breakpoint, shows what is done until then, and goes on block by block', async () => {
    const { page, complaints } = await open('/try?flow=greeting')
    await waitFor(page, 'Your plan')
    await page.locator('#search').fill('Bye')
    await page.keyboard.press('Enter')
    await inspector(page).getByRole('button', { name: 'Breakpoint' }).click()
    await inspector(page).getByRole('button', { name: 'Back to the turn' }).click()
    await say(page, 'Ada')
    await say(page, 'x')
    const bar = page.getByRole('status').filter({ hasText: 'Turn 3, 1 of 2 blocks done' })
    await bar.getByText('Second: Bye {{Name}}').waitFor()
    expect(await heard(page)).toEqual(['Your plan is free', 'Hi Ada'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await waitFor(page, 'Bye Ada')
    // What is said again stops there, too.
    await page.getByRole('button', { name: 'Retry' }).click()
    await bar.waitFor()
    expect(await heard(page)).toEqual(['Your plan is free', 'Hi Ada'])
    await page.keyboard.press('p')
    await page.getByText('Turn 3, 0 of 2 blocks done').waitFor()
    await see(page, 'Variables')
    expect(await page.getByLabel('Value of Name').inputValue()).toBe('Ada')
    await page.getByRole('button', { name: 'To the end of the turn' }).click()
    await waitFor(page, 'Bye Ada')
    expect(complaints).toEqual([])
  })

  it('starts at a block of the graph, after a reload too, and at the start again', async () => {
    const { page } = await open('/try?flow=greeting')
    await waitFor(page, 'Your plan')
    await page.getByRole('button', { name: 'Fit' }).click()
    await page.getByRole('button', { name: 'Start here: Bye {{Name}}' }).dispatchEvent('click')
    await page.getByText('It begins at “Second: Bye {{Name}}”').waitFor()
    await expect.poll(() => heard(page)).toEqual(['Bye'])
    await page.reload()
    await page.getByText('It begins at “Second: Bye {{Name}}”').waitFor()
    await page.getByRole('button', { name: 'Start here: Second' }).dispatchEvent('click')
    await expect.poll(() => heard(page)).toEqual(['Hi'])
    await page.getByRole('button', { name: 'Begin at the start' }).click()
    await waitFor(page, 'Your plan')
  })

  it('sets a variable while the flow waits, though another tab has led it there', async () => {
    const { page } = await open('/try?flow=resting')
    await page.locator('.ask').waitFor()
    const { sessionId } = await page.evaluate<{ sessionId: string }>(
      'JSON.parse(sessionStorage["flow-runtime/chat//try"])',
    )
    const path = `/v1/sessions/${sessionId}/continueChat`
    await page.request.post(pages.service.address + path, { data: { message: 'Ada' } })
    await page.reload()
    await see(page, 'Variables')
    await page.getByLabel('Value of Name').fill('Bob')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await inspector(page).getByText('the next answer').waitFor()
  })

  it('sets a variable in place: for the next answer, in the middle of what was said, and from the start', async () => {
    const { page } = await open('/try?flow=greeting')
    await say(page, 'Ada')
    await waitFor(page, 'Hi Ada')
    await see(page, 'Variables')
    const field = (name: string) => page.getByLabel(`Value of ${name}`)
    await field('Name').fill('Bob')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await inspector(page).getByText('the next answer').waitFor()
    await say(page, 'x')
    await waitFor(page, 'Bye Bob')
    // Behind the second turn, over the value from before.
    await page.keyboard.press('Escape')
    await page.keyboard.press('[')
    await field('Name').fill('Cem')
    await page.keyboard.press('Enter')
    await waitFor(page, 'Bye Cem')
    expect(await heard(page)).toEqual(['Your plan is free', 'Hi Ada', 'Bye Cem'])
    await page.getByText('Save', { exact: true }).click()
    await page.getByRole('button', { name: 'Flow test' }).click()
    await page.getByRole('alert').getByText('no words for variables that are set in the middle').waitFor()
    await field('Plan').fill('gold')
    await page.getByRole('button', { name: 'From the start' }).click()
    await expect.poll(() => heard(page)).toEqual(['Your plan is gold', 'Hi Ada', 'Bye Cem'])
  })

  it('says again what was said in another language of the flow', async () => {
    const { page } = await open('/try?flow=greeting')
    await say(page, 'Ada')
    await page.getByLabel('Language').selectOption('fr')
    await expect.poll(() => heard(page)).toEqual(['Votre formule : free', 'Hi Ada'])
    await page.reload()
    await waitFor(page, 'Votre formule')
    expect(await page.getByLabel('Language').inputValue()).toBe('fr')
  })

  it('says which rule refused an answer', async () => {
    const { page } = await open('/try?flow=every-input')
    await say(page, 'Ada')
    await say(page, '11')
    await inspector(page).getByText('The answer was refused: it is above the maximum, 10.').waitFor()
  })

  it('tells an author of what visitors do not get to see', async () => {
    const { page } = await open('/try?flow=pictured')
    await see(page, 'Logs')
    await inspector(page).getByText('This image could not be loaded.').waitFor()
    await inspector(page).getByText('its address is none that the page shows').waitFor()
  })

  it('has panes that are dragged, moved by keys, and as wide after a reload', async () => {
    const { page } = await open('/try?flow=greeting')
    const width = async (pane: string) => Math.round((await page.locator(pane).boundingBox())?.width ?? 0)
    const border = page.getByRole('separator', { name: 'Width of the conversation' })
    const before = await width('.talk')
    await border.focus()
    await page.keyboard.press('ArrowRight')
    expect(await width('.talk')).toBe(before + 24)
    const drawer = await width('.drawer')
    const { x = 0 } = (await page.locator('.of-drawer').boundingBox()) ?? {}
    await page.mouse.move(x + 4, 400)
    await page.mouse.down()
    await page.mouse.move(x - 60, 400, { steps: 4 })
    await page.mouse.up()
    expect(Math.abs((await width('.drawer')) - drawer - 64)).toBeLessThan(8)
    const dragged = await width('.drawer')
    await page.reload()
    await waitFor(page, 'Your plan')
    expect([await width('.talk'), await width('.drawer')]).toEqual([before + 24, dragged])
    await border.focus()
    await page.keyboard.press('Enter')
    expect(await width('.talk')).toBe(before)
  })

  it('shows the conversation as a phone, a desktop and a widget do', async () => {
    const { page } = await open('/try?flow=greeting')
    const size = () => page.locator('#chat').boundingBox()
    await waitFor(page, 'Your plan')
    expect((await size())?.width).toBeLessThan(420)
    await page.getByLabel('View').selectOption('desktop')
    expect((await size())?.width).toBeGreaterThan(800)
    await page.getByLabel('View').selectOption('widget')
    const widget = await size()
    expect(widget?.width).toBeLessThan(400)
    expect(widget?.height).toBeLessThan(720)
  })

  it.each(['support-triage', 'lead-form', 'product-quiz'])(
    'cuts nothing of %s off at 1280 by 800',
    async (flow) => {
      const { page } = await open(`/try?flow=${flow}`)
      await page.locator('.bubble.host').first().waitFor()
      const sees = async (selector: string) => {
        const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? everywhere
        const isWhole = await page.locator(selector).evaluate((one) => one.scrollWidth <= one.clientWidth + 1)
        return isWhole && x >= 0 && x + width <= 1281 && y + height <= 801
      }
      for (const part of ['.toolbar', '.tabs', '.drawer', '#chat', '.graph'])
        expect([part, await sees(part)]).toEqual([part, true])
      for (const tab of ['Why', 'Variables', 'Calls', 'Logs', 'Findings', 'Timeline']) {
        await see(page, tab)
        expect([tab, await sees('#panel')]).toEqual([tab, true])
      }
      const graph = (await page.locator('.graph').boundingBox()) ?? everywhere
      const nodes = await Promise.all((await page.locator('.node').all()).map((node) => node.boundingBox()))
      const isFitted = nodes.every(
        (box) => box && box.x >= graph.x && box.x + box.width <= graph.x + graph.width,
      )
      // A flow of which no title could be read then is begun at the conversation, beside an overview.
      expect(isFitted).toBe(flow !== 'product-quiz')
      expect(await page.locator('.overview').isVisible()).toBe(!isFitted)
    },
  )

  it('moves by its overview', async () => {
    const { page } = await open('/try?flow=product-quiz')
    await page.locator('.bubble.host').first().waitFor()
    expect(await page.getByRole('group', { name: 'Group: Goodbye' }).count()).toBe(0)
    await page.locator('.overview').click({ position: { x: 165, y: 55 } })
    await page.getByRole('group', { name: 'Group: Goodbye' }).waitFor()
  })
})
