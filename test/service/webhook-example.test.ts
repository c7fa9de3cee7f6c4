import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { signedHeaders } from '../../src/webhooks/sign.ts'
import { freePort } from '../support/free-port.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

/** The receiver of the page, as its reader would run it. */
async function runExample(secrets: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'receiver.mjs')
  writeFileSync(file, /```js\n(.*?)```/s.exec(page)?.[1] ?? '')
  const port = await freePort()
  const env = { PORT: String(port), WEBHOOK_SECRETS: secrets.join(' ') }
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const send = async (body: string, headers: Iterable<readonly [string, string]>) => {
    const request = { method: 'POST', body, headers: Object.fromEntries(headers) }
    return (await fetch(`http://127.0.0.1:${port}/`, request)).status
  }
  await expect.poll(() => send('', []).catch(() => 0)).toBe(401)
  return { send, lines }
}

it('takes each event once, by whichever of its secrets it is signed, and nothing that is not', async () => {
  const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const { send, lines } = await runExample([other, webhookSecret])
  const body = '{"type":"turn.completed","said":"Zoë 🙂"}'
  const sign = (eventId: string, secrets: readonly string[], now = Date.now()) =>
    signedHeaders({ eventId, body }, secrets, now)
  expect(await send(body, sign('e1', [webhookSecret]))).toBe(204)
  expect(await send(body, sign('e1', [webhookSecret], Date.now() + 5000))).toBe(204)
  expect(await send(body, sign('e2', [other, webhookSecret]))).toBe(204)
  expect(await send(body, sign('e3', [`whsec_${Buffer.alloc(24, 8).toString('base64')}`]))).toBe(401)
  expect(await send(`${body} `, sign('e4', [webhookSecret]))).toBe(401)
  expect(await send(body, sign('e5', [webhookSecret], Date.now() - 600_000))).toBe(401)
  await expect.poll(() => lines).toEqual([body, body])
})
