import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'
import { flaws, type OpenedPages, openPages } from './open-pages.ts'
import { ageCheck } from './page-flows.ts'

const table = `# Which table somebody gets
flow: table
name: A table
variables: [Name]
groups:
  Door:
    - ask: Who is there?
      into: Name
    - if: Name contains "Ada"
      then:
        - Your usual place, {{Name}}.
      else:
        - At the window, {{Name}}.
`

describe.each(installedChromium('flows in YAML'))('a flow in YAML, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [ageCheck])
  })

  afterAll(() => pages?.close())

  const bubble = (page: Page, text: string) => page.locator('.bubble.host', { hasText: text })
  const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })
  const see = (page: Page, tab: string) => page.getByRole('tab', { name: tab }).click()
  const editor = (page: Page) => page.getByLabel('The flow as YAML')
  const say = async (page: Page, text: string) => {
    await page.locator('.ask .field').fill(text)
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click()
  }
  const write = async (page: Page, text: string) => {
    await editor(page).click()
    await page.keyboard.press('Control+A')
    // What is typed over colored words would be styled by the browser, which the policy of the page forbids.
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }
  const retry = (page: Page) => page.getByRole('button', { name: 'Retry' }).click()
  /** The line that the cursor is on, and its text. */
  const lineOfCursor = (page: Page) => page.locator('.cm-activeLine').innerText()
  const openFile = (page: Page, name: string, text: string) =>
    page
      .getByLabel('File of a flow')
      .setInputFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) })
  const saved = async (page: Page, item: string) => {
    await page.getByText('Save', { exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: item }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  it('is opened, played, edited and saved as it is written, with its mistakes at their lines', async () => {
    const { page, complaints } = await pages.open('/try', { acceptDownloads: true })
    await openFile(page, 'table.flow.yaml', table)
    await say(page, 'Bo')
    await bubble(page, 'At the window, Bo.').waitFor()
    await see(page, 'YAML')
    await editor(page).getByText('# Which table somebody gets').waitFor()
    expect(await flaws(page)).toEqual([])

    await write(page, table.replace('into: Name', 'into: Nmae'))
    await inspector(page).getByText('line 8:13 no variable is called "Nmae"').waitFor()
    await page.locator('.cm-lintRange-error', { hasText: 'Nmae' }).waitFor()
    await retry(page)
    await page.getByRole('alert').getByText('This is no flow yet: line 8:13').first().waitFor()
    await bubble(page, 'At the window, Bo.').waitFor()

    const mended = table
      .replace('At the window', 'By the door')
      .replace('Who is there?', 'Who is {{Nobody}}?')
    await write(page, mended)
    await page.locator('.cm-lintRange-warning', { hasText: 'Nobody' }).waitFor()
    await see(page, 'Findings')
    await inspector(page).getByRole('button', { name: 'Show line 7' }).first().click()
    await expect.poll(() => lineOfCursor(page)).toContain('Who is {{Nobody}}?')
    await retry(page)
    await bubble(page, 'By the door, Bo.').waitFor()

    expect(await saved(page, 'Flow (YAML)')).toEqual({ name: 'table.flow.yaml', text: mended })
    const json = await saved(page, 'Flow (JSON)')
    expect([json.name, JSON.parse(json.text).name]).toEqual(['table.json', 'A table'])
    expect((await saved(page, 'Flow test')).text).toContain('flow: "table.flow.yaml"')

    await page.reload()
    await bubble(page, 'By the door, Bo.').waitFor()
    await see(page, 'YAML')
    await editor(page).getByText('# Which table somebody gets').waitFor()
    expect(complaints).toEqual([])
  })

  it('keeps what is typed within one frame, each time', async () => {
    const { page, complaints } = await pages.open('/try')
    await openFile(page, 'table.flow.yaml', table)
    await see(page, 'YAML')
    await editor(page).getByText('# Which table somebody gets').waitFor()
    await editor(page).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    // Each letter behind the rendering of the one before, and before what follows that.
    await page.evaluate(`(async () => {
      for (const letter of 'flow: typed quickly') {
        document.execCommand('insertText', false, letter)
        await new Promise((resolve) => setTimeout(resolve))
      }
    })()`)
    await expect.poll(() => editor(page).innerText()).toContain('flow: typed quickly')
    expect(complaints).toEqual([])
  })

  it('has the line of a block that did something, and of one that is chosen on the graph', async () => {
    const { page } = await pages.open('/try')
    await openFile(page, 'table.flow.yaml', table)
    await say(page, 'Ada')
    await bubble(page, 'Your usual place, Ada.').waitFor()
    const place = inspector(page).getByRole('button', { name: /Your usual place/ })
    await place.click()
    await inspector(page).getByText('line 11').waitFor()
    await inspector(page).getByRole('button', { name: 'Show its YAML' }).click()
    await expect.poll(() => lineOfCursor(page)).toContain('Your usual place')
    await page.locator('.graph').getByText('At the window').first().click()
    await expect.poll(() => lineOfCursor(page)).toContain('At the window')
  })

  it('is written as JSON, and JSON as YAML, and begins anew only where ids become others', async () => {
    const { page, complaints } = await pages.open('/try')
    await openFile(page, 'table.flow.yaml', table)
    await say(page, 'Bo')
    await bubble(page, 'At the window, Bo.').waitFor()
    await see(page, 'YAML')
    const to = (form: string) =>
      page.getByRole('group', { name: 'Form of the text' }).getByRole('button', { name: form }).click()
    await to('JSON')
    await page.getByLabel('The flow as JSON').getByText('"groups"').waitFor()
    // The ids are those that the YAML stands for, so the conversation goes on.
    await bubble(page, 'At the window, Bo.').waitFor()
    await to('YAML')
    await editor(page).getByText('Your usual place').waitFor()
    // What was written within a step stands there again, with the ids that it had.
    await bubble(page, 'At the window, Bo.').waitFor()
    expect(await flaws(page)).toEqual([])

    await page.goto(`${pages.service.address}/try?flow=age-check`)
    await say(page, '17')
    await see(page, 'JSON')
    await to('YAML')
    await editor(page).getByText('flow: age-check').waitFor()
    await say(page, '30')
    await bubble(page, "Come in, I'm 30.").waitFor()
    expect(complaints).toEqual([])
  })

  it('is taken as it is pasted and dropped, also with a mistake, and nothing else is', async () => {
    const { page } = await pages.open('/try')
    const paste = (text: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ${JSON.stringify(text)})
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      }`)
    await openFile(page, 'notes.yaml', 'a: list\nof: notes\n')
    await page.getByRole('dialog').getByText('There is no flow in this file').waitFor()
    await paste(table.replace('into: Name', 'into: Nmae'))
    await see(page, 'YAML')
    await inspector(page).getByText('line 8:13').waitFor()
    await write(page, table)
    await inspector(page).getByText('line 8:13').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Start again' }).first().click()
    await bubble(page, 'Who is there?').waitFor()
    const dropped = JSON.stringify(table.replace('Who is there?', 'Your name?'))
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${dropped}], 'other.flow.yaml'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }`)
    await bubble(page, 'Your name?').waitFor()
  })

  it('is followed as its author saves it, in its own words, with what is wrong at its lines', async () => {
    const file = join(pages.folder, 'table.flow.yaml')
    await writeFile(file, table)
    await expect.poll(async () => (await fetch(`${pages.service.address}/f/table`)).status).toBe(200)
    const { page } = await pages.open('/try?flow=table&watch')
    await say(page, 'Bo')
    await bubble(page, 'At the window, Bo.').waitFor()
    await see(page, 'YAML')
    await editor(page).getByText('# Which table somebody gets').waitFor()
    await writeFile(file, table.replace('into: Name', 'into: Nmae'))
    await page.getByRole('alert').getByText('table.flow.yaml:8:13').waitFor()
    await page.locator('.cm-lintRange-error', { hasText: 'Nmae' }).waitFor()
    await bubble(page, 'At the window, Bo.').waitFor()
    await writeFile(file, table.replace('At the window', 'By the door'))
    await bubble(page, 'By the door, Bo.').waitFor()
    await page.getByText('table.flow.yaml:8:13').waitFor({ state: 'detached' })
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
  })
})
