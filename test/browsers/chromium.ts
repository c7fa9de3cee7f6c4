import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** A browser, where one is installed, as `findInstalled` tells it. */
export function installedChromium(what: string): string[] {
  const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return findInstalled('chromium', paths, what)
}

/** The first of these programs that there is. Without it, the tests that need it are skipped by name, or fail where CI asks for all. */
export function findInstalled(name: string, paths: readonly string[], what: string): string[] {
  const path = paths.find((at) => existsSync(at))
  if (path !== undefined) return [path]
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`${name} is not installed`)
  process.stderr.write(`skipped, as ${name} is not installed: ${what}\n`)
  return []
}

/** What a page complains about: refused by its policy, thrown, or written as an error. Pictures of elsewhere may be missing. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      complaints.push(line.text())
  })
  return complaints
}

const pictures = join(import.meta.dirname, '../../docs/pictures')

/** Takes a picture of a page for the documentation, in WebP: a fifth of the bytes of a PNG. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 })
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'))
}
