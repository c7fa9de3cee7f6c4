import jsqr from 'jsqr'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../support/built-service.ts'
import { installedChromium, takePicture } from './chromium.ts'
import { type OpenedPages, openPages, seriousFlaws } from './open-pages.ts'
import { arabic, everyInput, hostile, scripted } from './page-flows.ts'

const phone = { width: 390, height: 620 }

describe.each(installedChromium('what visitors see'))('pages, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    pages = await openPages(executablePath, [arabic, everyInput, hostile, scripted])
  })

  afterAll(() => pages?.close())

  const open: OpenedPages['open'] = (path, options) => pages.open(path, options)

  const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
  const fill = async (page: Page, label: string, text: string) => {
    await page.getByLabel(label).fill(text)
    await send(page)
  }
  const expectSaid = async (page: Page, text: string) => {
    await page.locator('.bubble.guest', { hasText: text }).last().waitFor()
  }

  it('answers every input, hears a refusal, and uploads a file, though the flow lets no other site in', async () => {
    const { page, complaints } = await open('/f/every-input')
    await fill(page, 'Name', 'Ada')
    await fill(page, 'A number', '11')
    await page.locator('.bubble.host', { hasText: 'Invalid message' }).waitFor()
    await fill(page, 'A number', '7')
    await fill(page, 'Email address', 'ada@shop.example')
    await fill(page, 'Web address', 'https://shop.example')
    await fill(page, 'Phone number', '020 7946 0018')
    await fill(page, 'Date', '2027-03-04')
    await fill(page, 'Time', '10:30')
    await page.getByRole('button', { name: '4 of 5' }).click()
    await send(page)
    await page.getByRole('button', { name: 'Blue' }).click()
    await page.getByRole('button', { name: 'Salt' }).click()
    await page.getByRole('button', { name: 'Pepper' }).click()
    await send(page)
    await expectSaid(page, 'Salt, Pepper')
    await page.getByRole('button', { name: 'Dog' }).click()
    await page.getByRole('button', { name: 'Take it: Bike' }).click()
    const file = { name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.locator('.file-name', { hasText: 'note.pdf' }).waitFor()
    await send(page)
    await page.locator('.bubble.host', { hasText: 'That was all' }).waitFor()
    await page.getByText('This conversation has ended.').waitFor()
    expect(complaints).toEqual([])
  })

  it('goes on where it was after a reload', async () => {
    const { page, complaints } = await open('/f/every-input')
    await fill(page, 'Name', 'Ada')
    await page.getByLabel('A number').waitFor()
    await page.reload()
    await expectSaid(page, 'Ada')
    await fill(page, 'A number', '5')
    await page.getByLabel('Email address').waitFor()
    expect(complaints).toEqual([])
  })

  it('has a page at its public id in frames of other sites, where COMPAT_API is on', async () => {
    const other = await startBuiltService({ COMPAT_API: 'on', FLOWS_DIR: pages.folder })
    onTestFinished(async () => void (await other.stop()))
    const { page, complaints } = await open('/health')
    await page.setContent(`<iframe src="${other.address}/scripted?V=1"></iframe>`)
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Your answer').fill('Ada')
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByText('This conversation has ended.').waitFor()
    expect(complaints).toEqual([])
  })

  it('tells a tab that the conversation has gone on in another one', async () => {
    const { page } = await open('/f/every-input')
    await page.getByLabel('Name').waitFor()
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate('void window.open(location.href)'),
    ])
    await fill(other, 'Name', 'Ada')
    await other.getByLabel('A number').waitFor()
    await fill(page, 'Name', 'Bob')
    await page.getByRole('alert').getByText('gone on in another tab').waitFor()
    await fill(page, 'A number', '5')
    await page.getByLabel('Email address').waitFor()
  })

  it('runs scripts of a flow in a frame of nobody, and takes what they return', async () => {
    const { page, complaints } = await open('/f/scripted')
    await page.locator('.bubble.host', { hasText: 'The value is null 42' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('runs nothing of a hostile flow outside of that frame', async () => {
    const { page } = await open('/f/hostile')
    await page.locator('.bubble.host', { hasText: 'press me' }).click()
    await page.getByRole('button', { name: '2 of 2' }).click()
    await send(page)
    await page.locator('.bubble.host', { hasText: 'still here' }).waitFor()
    expect(await page.title()).toBe('hostile')
    expect(await page.locator('#page').isVisible()).toBe(true)
    expect(await page.locator('#chat a, #chat iframe[src]').count()).toBe(0)
    const color = `getComputedStyle(document.querySelector('#chat').shadowRoot.querySelector('.bubble')).color`
    expect(await page.evaluate(color)).toBe('rgb(1, 2, 3)')
  })

  it('plays a sample flow to its end by the keyboard alone', async () => {
    const { page, complaints } = await open('/f/support-triage')
    const chat = page.locator('#chat')
    await page.getByRole('button').first().waitFor()
    for (let turn = 0; turn < 12 && !(await chat.getByText('has ended').isVisible()); turn += 1) {
      const last = page.locator('.ask button:enabled').last()
      await last.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.ask button, .over button').count()).toBeGreaterThan(0)
    }
    await chat.getByText('This conversation has ended.').waitFor()
    expect(complaints).toEqual([])
  })

  it.each(['/', '/f/lead-form', '/f/every-input'])(
    'has nothing serious in the way of anybody at %s',
    async (path) => {
      const { page } = await open(path, { bypassCSP: true })
      await page.locator('.ask, .talk').first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousFlaws(page)).toEqual([])
      }
    },
  )

  it('describes the API by a page whose policy it keeps to', async () => {
    const { page, complaints } = await open('/docs')
    await page.locator('.opblock').first().waitFor()
    expect(complaints).toEqual([])
  })

  it('lists how people get to a flow, and shows it as other sites would', async () => {
    const { page, complaints } = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Share: Opening hours' }).click()
    const address = `${pages.service.address}/f/opening-hours`
    expect(await page.getByRole('textbox', { name: 'Address of Opening hours' }).inputValue()).toBe(address)
    await page.getByRole('button', { name: 'Copy: HTML' }).click()
    const line = `<script src="${pages.service.address}/embed.js" data-flow="opening-hours" async></script>`
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(line)
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    const pixels = await page.evaluate(`(() => {
      const canvas = new OffscreenCanvas(400, 400).getContext('2d')
      canvas.fillStyle = 'white'
      canvas.fillRect(0, 0, 400, 400)
      canvas.setTransform(8, 0, 0, 8, 32, 32)
      canvas.fillStyle = 'black'
      canvas.fill(new Path2D(document.querySelector('.code path').getAttribute('d')))
      return [...canvas.getImageData(0, 0, 400, 400).data]
    })()`)
    expect(jsqr.default(Uint8ClampedArray.from(pixels as number[]), 400, 400)?.data).toBe(address)
    const bubbles = page.frameLocator('flow-chat iframe').locator('.bubble.host')
    await page.getByRole('button', { name: 'Open chat' }).click()
    await bubbles.first().waitFor()
    await page.getByRole('radio', { name: 'Popup' }).click()
    await page.getByRole('button', { name: 'Chat with us' }).click()
    await bubbles.first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Part of the page' }).click()
    await bubbles.first().waitFor()
    expect(await seriousFlaws(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('lists what is published, and leads there', async () => {
    const { page, complaints } = await open('/', { viewport: { width: 320, height: 640 } })
    const results = page.getByRole('link', { name: 'Results: Opening hours' })
    expect(await results.getAttribute('href')).toBe('/results?flow=opening-hours')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.getByRole('link', { name: 'Talk: Opening hours' }).click()
    await page.locator('.bubble.host').first().waitFor()
    expect(complaints).toEqual([])
  })

  it.runIf(process.env['PICTURES'] === '1').each([
    {
      name: 'chat',
      flow: 'support-triage',
      says: 'not look right',
      look: { viewport: { width: 1000, height: 620 } },
    },
    {
      name: 'chat-phone',
      flow: 'support-triage',
      says: 'not look right',
      look: { viewport: phone, colorScheme: 'dark', hasTouch: true },
    },
    { name: 'chat-arabic', flow: 'arabic', says: 'شكرًا', look: { viewport: phone, hasTouch: true } },
  ] as const)('is pictured in the docs: $name', async ({ name, flow, says, look }) => {
    const { page } = await open(`/f/${flow}`, look)
    await page.locator('.choice').first().click()
    await page.locator('.ask .field').fill('NW-1')
    await page.locator('.ask [type=submit]').click()
    await page.locator('.bubble.host', { hasText: says }).waitFor()
    await page.locator('.ask').waitFor()
    await takePicture(page, name)
  })
})
