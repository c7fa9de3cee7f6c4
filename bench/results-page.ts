import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { installedChromium } from '../test/browsers/chromium.ts'
import { surveyBlocks } from './flows/survey.ts'
import type { Mode } from './support/databases.ts'
import { median, percentile, rounded } from './support/figures.ts'
import { startWithMonth, token } from './support/month-service.ts'
import { requireBuild } from './support/service.ts'

// How soon a browser shows /results, and what it is narrowed to: `npm run bench:results`, as docs/performance.md tells.

const results = 100_000
const times = 9
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const modes = (['DATA_DIR', 'PostgreSQL'] as const).filter((mode) => !values.only || mode === values.only)

/** What is entered above the table, by the role and the name of the field. */
const entries = [
  ['combobox', 'State', ['completed', 'left', 'silent']],
  ['combobox', 'Left at', surveyBlocks.filter((_, index) => index % 2 === 1).slice(0, 3)],
  ['searchbox', 'Search', ['Answer 517', 'no-such-text', 'Answer 42']],
] as const

/** The milliseconds from what is entered to the frame that shows what was found. */
const timeEntry = `globalThis.timeEntry = async (field, value) => {
  const start = performance.now()
  field.value = value
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  const pager = document.querySelector('.pager')
  await new Promise((resolve) => {
    new MutationObserver(() => pager.getAttribute('aria-busy') === 'true' || resolve())
      .observe(pager, { attributeFilter: ['aria-busy'] })
  })
  await new Promise(requestAnimationFrame)
  return performance.now() - start
}`

interface InPage {
  timeEntry(field: object, value: string): Promise<number>
}

requireBuild('.')
for (const executablePath of installedChromium('how soon results are shown'))
  for (const mode of modes) await measure(mode, executablePath)

async function measure(mode: Mode, executablePath: string): Promise<void> {
  const { service, stop } = await startWithMonth(mode, results)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(timeEntry)
  const address = `${service.address}/results?flow=survey&period=all`
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Token' }).fill(token)
  await page.keyboard.press('Enter')
  const rows = { ...(await readFirst(page, address)), ...(await narrow(page, `${address}&view=answers`)) }
  console.log(`${mode}: ${results} results`)
  console.table(Object.fromEntries(Object.entries(rows).map(([name, ms]) => [name, figuresOf(ms)])))
  await browser.close()
  await stop()
}

function figuresOf(ms: readonly number[]): object {
  return { 'median ms': rounded(median(ms)), 'slowest ms': rounded(percentile(ms, 1)) }
}

/** Opens the page again and again. */
async function readFirst(page: Page, address: string): Promise<Record<string, number[]>> {
  const [paints, numbers]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < times; nth++) {
    await page.goto(address)
    await page.locator('.tile strong').first().waitFor()
    numbers.push(await page.evaluate(() => performance.now()))
    const first = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    paints.push((await page.evaluate(first)) ?? Number.NaN)
  }
  return { 'first paint': paints, 'numbers are there': numbers }
}

/** Enters something in each field, until the table shows what was found. */
async function narrow(page: Page, address: string): Promise<Record<string, number[]>> {
  await page.goto(address)
  await page.locator('.pager[aria-busy="false"]').waitFor()
  const rows: Record<string, number[]> = {}
  for (const [role, name, values] of entries) {
    const field = page.getByRole(role, { name })
    const enter = (value: string): Promise<number> =>
      field.evaluate((element, text) => (globalThis as unknown as InPage).timeEntry(element, text), value)
    const own: number[] = []
    for (let nth = 0; nth < times; nth++) own.push(await enter(values[nth % values.length] as string))
    await enter('')
    rows[name] = own
  }
  return rows
}
