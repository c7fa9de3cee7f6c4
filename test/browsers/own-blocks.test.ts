import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from './chromium.ts'
import { type OpenedPages, openPages } from './open-pages.ts'

const folder = join(import.meta.dirname, '../../examples/blocks')

describe.each(installedChromium('own blocks'))('own blocks, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    const flow = JSON.parse(await readFile(join(folder, 'orders.json'), 'utf8'))
    pages = await openPages(executablePath, [flow], { BLOCKS_DIR: folder })
  })

  afterAll(() => pages?.close())

  it('are walked through on the page to try a flow, and are no unknown types to its editor', async () => {
    const { page, complaints } = await pages.open('/try?flow=orders')
    const say = async (text: string) => {
      await page.locator('.ask .field').fill(text)
      await page.locator('.ask').getByRole('button', { name: 'Send' }).click()
    }
    await page.getByPlaceholder('AB-123456').waitFor()
    await say('I forgot')
    await page.locator('.bubble.host', { hasText: 'Invalid message' }).waitFor()
    await say('ab 12-34 56')
    // The dry run of the page is answered by the mock that the block declares.
    await page.locator('.bubble.host', { hasText: 'AB-123456 is shipped.' }).waitFor()
    expect(complaints).toEqual([])
    const inspector = page.getByRole('region', { name: 'Inspector' })
    await page.getByRole('tab', { name: 'Calls' }).click()
    await expect.poll(() => inspector.innerText()).toContain('/orders/AB-123456')
    await page.getByRole('tab', { name: 'Logs' }).click()
    const logs = await inspector.innerText()
    expect(logs).not.toContain('was not sent')
    expect(logs).not.toContain('unknown to this server')
  })
})
