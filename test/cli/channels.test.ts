import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from '../support/call-command-line.ts'
import { startFakeTelegram } from '../support/providers/fake-telegram.ts'

/** A bot, and the environment of a service that has a channel for it. */
async function open() {
  const telegram = await startFakeTelegram()
  onTestFinished(() => telegram.close())
  const folder = mkdtempSync(join(tmpdir(), 'channels-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  const env = {
    CREDENTIALS_FILE: fileOf('accounts.json', [{ id: 'bot', type: 'telegram', data: telegram.account }]),
    CHANNELS_FILE: fileOf('channels.json', {
      shop: { account: 'bot', flow: 'f' },
      lost: { account: 'nobody', flow: 'f' },
    }),
    OUTBOUND_ALLOW: new URL(telegram.account.baseUrl).host,
    PUBLIC_URL: 'https://flows.example',
  }
  return { telegram, env, check: (...args: string[]) => callCommandLine(['channels', 'check', ...args], env) }
}

it('says what is to be set where', async () => {
  const { check, telegram } = await open()
  const { code, out } = await check()
  expect(code).toBe(1)
  expect(out).toContain('shop: The bot is @shop_bot\n')
  expect(out).toContain('shop: PROBLEM Updates go to')
  expect(out).toContain('url=https%3A%2F%2Fflows.example%2Fv1%2Fchannels%2Fshop%2Fwebhook')
  expect(out).toContain('lost: PROBLEM CREDENTIALS_FILE has no account "nobody"')
  expect(out).not.toContain(telegram.account.botToken)
  expect(out).not.toContain(telegram.account.secretToken)
})

it('is content where all is as it has to be', async () => {
  const { check, telegram } = await open()
  telegram.urls.push('https://flows.example/v1/channels/shop/webhook')
  expect(await check('shop')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Updates go to https://flows'),
  })
})

it('tells what a running service says of a channel', async () => {
  const { env, telegram } = await open()
  telegram.urls.push('https://flows.example/v1/channels/shop/webhook')
  const failing = '/flow: no flow is published as "f"'
  const service = createServer((_request, response) =>
    response.end(JSON.stringify({ channels: [{ name: 'shop', account: 'bot', flow: 'f', failing }] })),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void service.close())
  await once(service, 'listening')
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const args = ['channels', 'check', 'shop', '--url', url]
  expect(await callCommandLine(args, { ...env, ADMIN_TOKEN: 'adm1n' })).toMatchObject({
    code: 1,
    out: expect.stringContaining(`shop: PROBLEM The service says: ${failing}\n`),
  })
})

it('names channels that there are for one that is not', async () => {
  const { check } = await open()
  expect(await check('shpo')).toMatchObject({
    code: 1,
    err: expect.stringContaining('name one of shop, lost'),
  })
})

it('says that there are none', async () => {
  expect(await callCommandLine(['channels', 'check'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There are no channels'),
  })
  expect(await callCommandLine(['channels'])).toMatchObject({ code: 2 })
})
