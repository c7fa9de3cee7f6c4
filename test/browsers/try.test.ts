import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleFlows } from '../service/sample-flows.ts'
import { installedChromium, takePicture } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { ageCheck, calling, everyInput, hostile, reminding, scripted } from './page-flows.ts'
import { playToEnd } from './play-to-end.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe.each(installedChromium('what authors see'))('the page to try a flow, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [
      ageCheck,
      calling,
      everyInput,
      hostile,
      reminding('reminds', { id: 'ask', type: 'text input' }),
      scripted,
    ])
  })

  afterAll(() => pages?.close())

  const open: OpenedPages['open'] = (path, options) => pages.open(path, options)
  const bubble = (page: Page, text: string) => page.locator('.bubble.host', { hasText: text })
  const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })
  const see = (page: Page, tab: string) => page.getByRole('tab', { name: tab }).click()
  const say = async (page: Page, text: string) => {
    await page.locator('.ask .field').fill(text)
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click()
    await page.locator('.bubble.guest', { hasText: text }).last().waitFor()
  }
  /** Saves what was said as a flow test; where it is. */
  const saveTest = async (page: Page) => {
    await page.getByText('Save', { exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Flow test' }).click(),
    ])
    const path = join(pages.folder, file.suggestedFilename())
    await file.saveAs(path)
    return path
  }
  const runTest = (path: string) =>
    run(process.execPath, [join(root, 'dist/bin/flow-runtime.js'), 'test', path])
  /** Changes the text of a draft, as somebody who types there. */
  const change = async (page: Page, edit: (text: string) => string, flow = ageCheck) => {
    await see(page, 'JSON')
    await page.getByLabel('The flow as JSON').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(edit(JSON.stringify(flow, null, 2)))
  }

  it.each(sampleFlows)('plays the sample flow %s to its end', async (publicId) => {
    const { page, complaints } = await open(`/try?flow=${publicId}`)
    await playToEnd(page)
    expect(complaints).toEqual([])
  })

  it('answers every input', async () => {
    const { page, complaints } = await open('/try?flow=every-input')
    await playToEnd(page)
    await bubble(page, 'That was all').waitFor()
    expect(complaints).toEqual([])
  })

  it('shows why a condition let somebody in, and tells where the mended flow takes another way', async () => {
    const { page, complaints } = await open('/try?flow=age-check')
    await say(page, 'I am 17, but nearly')
    await bubble(page, 'Come in').waitFor()
    const row = inspector(page).getByRole('row', { name: /Greater or equal to/ })
    await expect.poll(() => row.innerText()).toMatch(/different sizes: 19 and 18[\s\S]*yes/)
    await inspector(page).getByRole('button', { name: 'to Adult' }).click()
    await inspector(page).getByText('It was taken in').waitFor()
    await change(page, (text) => text.replace('Greater or equal to', 'Less than'))
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Turn 2 takes another way from “c-age”').waitFor()
    await bubble(page, 'Come back later.').waitFor()
    expect(complaints).toEqual([])
  })

  it('goes back to a turn, and says nothing more', async () => {
    const { page } = await open('/try?flow=every-input')
    await say(page, 'Ada')
    await say(page, '7')
    await page.getByLabel('Email address').waitFor()
    const said = () => page.locator('.bubble.guest').allInnerTexts()
    await see(page, 'Timeline')
    await page.getByRole('button', { name: 'Back to turn 2' }).click()
    await page.getByLabel('A number', { exact: true }).waitFor()
    expect(await said()).toEqual([expect.stringContaining('Ada')])
    await page.getByRole('button', { name: 'Go on from here, the end of turn 1' }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await said()).toEqual([])
  })

  it('saves a test that the command line runs, and that fails once the flow is another', async () => {
    const { page } = await open('/try?flow=age-check', { acceptDownloads: true })
    await say(page, '17')
    await bubble(page, 'Come back later.').waitFor()
    const path = await saveTest(page)
    expect((await runTest(path)).stdout).toContain('1 passed, 0 failed')
    const said = await readFile(path, 'utf8')
    expect(said).toContain('says: "17"')
    await writeFile(path, said.replace('says: "17"', 'says: "18"'))
    await expect(runTest(path)).rejects.toMatchObject({ code: 1 })
  })

  it('skips to the timer, shows what it did, and saves a test of it', async () => {
    const { page, complaints } = await open('/try?flow=reminds', { acceptDownloads: true })
    const skip = page.getByRole('button', { name: 'Skip to the timer' })
    expect(await skip.getAttribute('title')).toContain('The idle event is due at')
    await skip.click()
    await bubble(page, 'Still there?').waitFor()
    await skip.waitFor({ state: 'detached' })
    await see(page, 'Timeline')
    await page.getByRole('button', { name: 'Turn 2: a timer fired' }).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await bubble(page, 'Still there?').waitFor()
    await say(page, 'Ada')
    await bubble(page, 'Thank you').waitFor()
    expect(await bubble(page, 'Still there?').count()).toBe(1)
    const path = await saveTest(page)
    expect(await readFile(path, 'utf8')).toContain('after: "2s"')
    expect((await runTest(path)).stdout).toContain('1 passed, 0 failed')
    expect(complaints).toEqual([])
  })

  it('has a person give a conversation back, and saves a test of it', async () => {
    const { page, complaints } = await open('/try?flow=ask-a-person', { acceptDownloads: true })
    await bubble(page, 'What is your name?').waitFor()
    await say(page, 'Ada')
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByRole('button', { name: 'Give back to the flow' }).click()
    await page.getByRole('button', { name: 'Nothing more' }).waitFor()
    await see(page, 'Timeline')
    await page.getByRole('button', { name: 'Turn 4: a person gave the conversation back' }).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('button', { name: 'Nothing more' }).click()
    await bubble(page, 'Bye, Ada!').waitFor()
    const path = await saveTest(page)
    expect(await readFile(path, 'utf8')).toContain('operator: {"status":"open"}')
    expect((await runTest(path)).stdout).toContain('1 passed, 0 failed')
    expect(complaints).toEqual([])
  })

  it('pins the answer of a call, which nobody else is asked for', async () => {
    const { page, complaints } = await open('/try?flow=calling')
    await bubble(page, 'Your order is').waitFor()
    await see(page, 'Calls')
    await inspector(page)
      .getByText(/^200 .* not sent$/)
      .waitFor()
    await page.getByRole('button', { name: 'Pin this answer' }).click()
    const rule = inspector(page).getByLabel('http')
    await rule.fill((await rule.inputValue()).replace('"json": {}', '"json": {"state": "shipped"}'))
    await page.getByRole('button', { name: 'Retry' }).click()
    await bubble(page, 'Your order is shipped.').waitFor()
    expect(complaints).toEqual([])
  })

  it('tells of a mistake as soon as it is made, by a badge on the graph and a squiggle that say what is wrong', async () => {
    const { page, complaints } = await open('/try?flow=age-check', { viewport: { width: 1400, height: 800 } })
    await bubble(page, 'How old').waitFor()
    await change(page, (text) => text.replace('"outgoingEdgeId": "e-child"', '"outgoingEdgeId": "e-nowhere"'))
    await page
      .locator('[data-node] .finding.error title', { hasText: 'e-nowhere' })
      .waitFor({ state: 'attached' })
    await see(page, 'Findings')
    await inspector(page).getByText('dangling-edge').waitFor()
    await inspector(page)
      .getByRole('button', { name: /outgoingEdgeId/ })
      .first()
      .click()
    const squiggle = page.locator('.cm-lintRange-error', { hasText: 'e-nowhere' })
    await squiggle.hover()
    await page.locator('.cm-tooltip', { hasText: 'e-nowhere' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('tells a tab that the conversation has gone on in another one, and shows what it did there', async () => {
    const { page } = await open('/try?flow=every-input')
    await page.getByLabel('Name', { exact: true }).waitFor()
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate('void window.open(location.href)'),
    ])
    await say(other, 'Ada')
    await other.getByLabel('A number', { exact: true }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Bob')
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('gone on in another tab').waitFor()
    await see(page, 'Timeline')
    await inspector(page).getByText('said in another tab').waitFor()
  })

  it('goes on after a reload, with the draft as it was', async () => {
    const { page } = await open('/try?flow=age-check')
    await say(page, '17')
    await change(page, (text) => text.replace('Come back later.', 'Not today.'))
    await page.getByRole('button', { name: 'Retry' }).click()
    await bubble(page, 'Not today.').waitFor()
    await page.reload()
    await bubble(page, 'Not today.').waitFor()
    await see(page, 'Timeline')
    await inspector(page).getByText('Turn 2: “17”').waitFor()
  })

  it('takes what its author saves, says again what was said, and tells what is wrong with the file', async () => {
    const file = join(pages.folder, 'saved.json')
    const save = (text: string) => writeFile(file, text)
    const saved = JSON.stringify({ ...ageCheck, id: 'saved', publicId: 'saved' })
    await save(saved)
    await expect.poll(async () => (await fetch(`${pages.service.address}/f/saved`)).status).toBe(200)
    const { page } = await open('/try?flow=saved&watch')
    await bubble(page, 'How old are you?').waitFor()
    await say(page, '30')
    await bubble(page, "Come in, I'm 30.").waitFor()
    await save(saved.replace('Come in', 'Welcome'))
    await bubble(page, "Welcome, I'm 30.").waitFor()
    await save(saved.slice(0, -1))
    await page.getByRole('alert').getByText('The file as it was saved is not taken').waitFor()
    await save(saved)
    await bubble(page, "Come in, I'm 30.").waitFor()
    await page.getByText('The file as it was saved is not taken').waitFor({ state: 'detached' })
  })

  it('names the lines of a followed file in YAML, for its findings and for what breaks it', async () => {
    const file = join(pages.folder, 'welcome.flow.yaml')
    const text =
      'flow: welcome\nvariables: [Name]\ngroups:\n  Hi:\n    - ask: Who is there?\n      into: Name\n    - Welcome, {{Nmae}}!\n'
    await writeFile(file, text)
    await expect.poll(async () => (await fetch(`${pages.service.address}/f/welcome`)).status).toBe(200)
    const { page } = await open('/try?flow=welcome&watch')
    await bubble(page, 'Who is there').waitFor()
    await see(page, 'Findings')
    await inspector(page).getByRole('button', { name: 'Show line 7' }).first().waitFor()
    await writeFile(file, text.replace('into: Name', 'into: Nmae'))
    await page.getByRole('alert').getByText('welcome.flow.yaml:6:13').first().waitFor()
    await writeFile(file, text.replace('Nmae', 'Name'))
    await inspector(page).getByText('Nothing is wrong with this flow.').waitFor()
  })

  it('opens a draft that stands in the link, and sends the link to nobody', async () => {
    const { page: first } = await open('/try?flow=age-check', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await bubble(first, 'How old').waitFor()
    await first.getByText('Save', { exact: true }).click()
    await first.getByRole('button', { name: 'Copy link' }).click()
    await first.getByText('The link is copied').waitFor()
    const link = await first.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toMatch(/\/try#draft=[\w-]+$/)
    const { page } = await open(link.slice(pages.service.address.length))
    await bubble(page, 'How old').waitFor()
    expect(page.url()).toBe(`${pages.service.address}/try`)
    expect(pages.service.output()).not.toContain('draft=')
  })

  it('takes a file that is dropped or pasted, and refuses what is no flow', async () => {
    const { page } = await open('/try')
    const first = page.locator('.published button').first()
    await expect.poll(() => first.evaluate((one) => one.matches(':focus'))).toBe(true)
    const file = page.getByLabel('File of a flow')
    const exported = JSON.stringify({ flow: ageCheck })
    await file.setInputFiles({
      name: 'a.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"a": 1}'),
    })
    await page.getByRole('dialog').getByText('There is no flow in this file').waitFor()
    expect(await flaws(page)).toEqual([])
    await file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(exported) })
    await bubble(page, 'How old').waitFor()
  })

  it('runs no script of a flow by itself, and in the frame of nobody when it is told to', async () => {
    const { page, complaints } = await open('/try?flow=scripted')
    const card = page.getByRole('region', { name: 'Action: setVariable' })
    await card.getByText('return origin').waitFor()
    expect(await page.locator('.bubble.host').count()).toBe(0)
    await card.getByRole('button', { name: 'Run in the sandbox' }).click()
    await bubble(page, 'The value is null 42').waitFor()
    expect(complaints).toEqual([])
  })

  it('runs nothing of a hostile flow outside of that frame', async () => {
    const { page } = await open('/try?flow=hostile')
    await bubble(page, 'press me').click()
    await page.getByRole('button', { name: 'Run in the sandbox' }).click()
    await page.getByText('It failed').waitFor()
    await playToEnd(page)
    expect(await page.title()).toContain('hostile')
    expect(await page.locator('.toolbar').isVisible()).toBe(true)
    for (const tab of ['Why', 'Variables', 'Calls', 'Logs', 'Findings', 'Timeline', 'JSON'])
      await see(page, tab)
    expect(await page.locator('#chat a, #chat iframe[src], #panel a').count()).toBe(0)
  })

  it('is led by keys: a block is searched, turns are gone through, what was said is said again', async () => {
    const { page } = await open('/try?flow=age-check')
    await say(page, '17')
    await bubble(page, 'Come back later.').waitFor()
    await page.keyboard.press('[')
    await inspector(page).getByRole('heading', { name: 'What turn 1 did' }).waitFor()
    await page.keyboard.press(']')
    await inspector(page).getByRole('heading', { name: 'What turn 2 did' }).waitFor()
    const keys = page.getByLabel('Keys', { exact: true })
    await keys.uncheck()
    await page.locator('.toolbar h1').click()
    await page.keyboard.press('[')
    await inspector(page).getByRole('heading', { name: 'What turn 2 did' }).waitFor()
    await keys.check()
    await page.locator('.toolbar h1').click()
    await page.keyboard.press('/')
    await page.keyboard.type('condition')
    await page.keyboard.press('Enter')
    await inspector(page).getByRole('heading', { name: 'Decide: Condition' }).first().waitFor()
    const sessions = () => pages.service.output().split('preview/startChat').length
    const before = sessions()
    await page.locator('.toolbar h1').click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await expect.poll(sessions).toBeGreaterThan(before)
    await bubble(page, 'Come back later.').waitFor()
  })

  it('shows the messages of a block, and the block of a message', async () => {
    const { page } = await open('/try?flow=age-check')
    await say(page, '17')
    await bubble(page, 'Come back later.').waitFor()
    await page.getByRole('button', { name: 'Show the block of “Come back later.”' }).click()
    await inspector(page).getByRole('heading', { name: 'Child: Come back later.' }).first().waitFor()
    expect(await page.locator('.lit').innerText()).toContain('Come back later.')
    await see(page, 'Variables')
    await inspector(page).getByRole('button', { name: 'Age' }).click()
    await inspector(page).getByRole('button', { name: 'Decide: Condition' }).waitFor()
  })

  it.runIf(process.env['PICTURES'] === '1')('is pictured in the docs', async () => {
    const { page } = await open('/try?flow=support-triage', { viewport: { width: 1280, height: 720 } })
    await page.locator('.choice', { hasText: 'An order' }).click()
    await say(page, 'NW-1')
    await bubble(page, 'does not look right').waitFor()
    await page.locator('.node.isCurrent').click()
    await page.locator('[data-block].isCurrent').waitFor()
    await inspector(page)
      .getByRole('row', { name: /Matches regex/ })
      .waitFor()
    await takePicture(page, 'try')
  })

  it.each([
    { device: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    { device: 'phone', viewport: { width: 390, height: 780 }, colorScheme: 'dark' },
  ] as const)('has nothing in the way of anybody on a $device', async ({ device, ...look }) => {
    const { page } = await open('/try?flow=age-check', look)
    await say(page, '17')
    await bubble(page, 'Come back later.').waitFor()
    expect(await flaws(page)).toEqual([])
    if (device === 'phone') await page.getByRole('button', { name: 'Inspect' }).click()
    for (const tab of ['Variables', 'Calls', 'Findings', 'Timeline', 'JSON', 'Why']) {
      await see(page, tab)
      expect(await flaws(page)).toEqual([])
    }
    await page.getByRole('button', { name: 'Step through' }).click()
    expect(await flaws(page)).toEqual([])
    await inspector(page).getByRole('button', { name: 'Child: Come back later.' }).click()
    await inspector(page).getByRole('button', { name: 'Breakpoint' }).click()
    // On dark pages axe takes the colour before it was forced for that of the text.
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    expect(await flaws(page)).toEqual([])
    const background = (isChosen: boolean) =>
      page
        .locator(`[role=tab][aria-selected=${isChosen}]`)
        .first()
        .evaluate((tab) => tab.ownerDocument.defaultView?.getComputedStyle(tab).backgroundColor)
    expect(await background(true)).not.toBe(await background(false))
  })
})

describe.each(installedChromium('how authors prove who they are'))('a token, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [ageCheck], { PREVIEW_TOKEN: 'let-me-see-the-preview-please' })
  })

  afterAll(() => pages?.close())

  it('is asked for, and stays in the tab', async () => {
    const { page, complaints } = await pages.open('/try?flow=age-check')
    await page.getByLabel('This service wants the token').fill('let-me-see-the-preview-please')
    expect(await flaws(page)).toEqual([])
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.locator('.bubble.host', { hasText: 'How old' }).waitFor()
    expect(page.url()).not.toContain('let-me')
    expect(await page.evaluate<number>('localStorage.length')).toBe(0)
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain('let-me-see')
    await page.reload()
    await page.locator('.bubble.host', { hasText: 'How old' }).waitFor()
    const { page: elsewhere } = await pages.open('/try?flow=age-check')
    await elsewhere.getByLabel('This service wants the token').waitFor()
    expect(complaints).toEqual([])
  })
})
