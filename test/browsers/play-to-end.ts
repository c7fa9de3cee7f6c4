import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Turns after which a flow is taken for one that never ends. */
const mostTurns = 40

const texts: Readonly<Record<string, string>> = {
  email: 'ada@shop.example',
  url: 'https://shop.example',
  tel: '+44 20 7946 0018',
  date: '2027-03-04',
  'datetime-local': '2027-03-04T10:30',
  time: '10:30',
  decimal: '4',
}

/** Answers whatever a flow asks in a browser, by the kind of what is shown, until the conversation is over. */
export async function playToEnd(page: Page): Promise<void> {
  const chat = page.locator('#chat')
  const over = chat.getByText('This conversation has ended.')
  const asked = chat.locator('.ask, .action textarea, .over, .notice')
  for (let turn = 0; turn < mostTurns; turn += 1) {
    await asked.first().waitFor()
    if (await over.isVisible()) return
    const before = await chat.locator('.log').innerHTML()
    await answer(chat)
    await expect.poll(() => chat.locator('.log').innerHTML()).not.toBe(before)
    await expect.poll(() => asked.count()).toBeGreaterThan(0)
  }
  throw new Error(`the flow went on for more than ${mostTurns} turns`)
}

async function answer(chat: Locator): Promise<void> {
  const goOn = chat.getByRole('button', { name: 'Go on with this answer' })
  if (await goOn.isVisible()) return goOn.click()
  const ask = chat.locator('.ask')
  const file = ask.locator('.drop input[type=file]')
  if ((await file.count()) > 0) {
    await file.setInputFiles({
      name: 'note.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4'),
    })
    await ask.locator('.file-name').waitFor()
    return ask.locator('.field-extras button').first().click()
  }
  for (const field of await ask.locator('input.field:not([type=search]), textarea.field').all()) {
    const kind = (await field.getAttribute('inputmode')) ?? (await field.getAttribute('type')) ?? 'text'
    await field.fill(texts[kind] ?? 'NW-12345')
  }
  const rating = ask.locator('.rating button')
  if ((await rating.count()) > 0) await rating.last().click()
  // The last choice is the one that leads out of loops.
  const choice = ask.locator('.choice, .card button').last()
  if (await choice.isVisible()) await choice.click()
  const submit = ask.locator('[type=submit]:enabled, .choices ~ button:enabled')
  if (await submit.first().isVisible()) await submit.first().click()
}
