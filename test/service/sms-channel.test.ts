import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { startBuiltService } from '../support/built-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { startFakeTwilio } from '../support/providers/fake-twilio.ts'

const root = join(import.meta.dirname, '../..')

/** A build of the service that has done what docs/add-a-channel.md says, word for word. */
function buildWithSms(): string {
  const copy = mkdtempSync(join(tmpdir(), 'sms-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of ['src', 'schemas', 'migrations', 'package.json', 'tsconfig.json', 'vite.config.ts'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(root, 'examples/channels/sms'), join(copy, 'src/channels/sms'), { recursive: true })
  const page = readFileSync(join(root, 'docs/add-a-channel.md'), 'utf8')
  const [, diff = ''] = /```diff\n([\s\S]*?)```/.exec(page) ?? []
  const run = (program: string, args: readonly string[], input = '') =>
    execFileSync(program, args, { cwd: copy, input, stdio: 'pipe' })
  run('git', ['apply', '-'], diff)
  run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'])
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  return join(copy, 'dist/bin/flow-runtime.js')
}

const flow = wholeDefinition({
  publicId: 'shop',
  variables: ['Name', 'Size'],
  settings: { typingEmulation: { enabled: false } },
  groups: {
    a: [
      bubble('b1', 'Hello – what’s your name?'),
      textInput('i1', 'vName'),
      bubble('b2', 'Which size, {{Name}}?'),
      {
        id: 'i2',
        type: 'choice input',
        options: { variableId: 'vSize' },
        items: ['Small', 'Large'].map((content, index) => ({ id: `item${index}`, content })),
      },
      bubble('b3', '{{Name}}: {{Size}}'),
    ],
  },
})

it('holds a flow by SMS, as the page says how to add it', async () => {
  const twilio = await startFakeTwilio({ misbehaviour: { twice: 0.5, busy: 0.2 } })
  onTestFinished(() => twilio.close())
  const folder = mkdtempSync(join(tmpdir(), 'sms-service-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  mkdirSync(join(folder, 'flows'))
  fileOf('flows/shop.json', flow)
  const service = await startBuiltService(
    {
      FLOWS_DIR: join(folder, 'flows'),
      ADMIN_TOKEN: 'adm1n',
      PUBLIC_URL: 'https://flows.example',
      PAGES: 'off',
      CREDENTIALS_FILE: fileOf('accounts.json', [{ id: 'texts', type: 'sms', data: twilio.account }]),
      CHANNELS_FILE: fileOf('channels.json', { texts: { account: 'texts', flow: 'shop' } }),
    },
    { args: [buildWithSms()] },
  )
  onTestFinished(() => void service.child.kill('SIGKILL'))
  twilio.told.url = 'https://flows.example/v1/channels/texts/webhook'
  twilio.urls.push(`${service.address}/v1/channels/texts/webhook`)
  const shown = () => twilio.accepted.map(({ text }) => text)

  await twilio.say('+33612345678', 'hi')
  await expect.poll(shown).toEqual(["Hello - what's your name?"])
  await twilio.say('+33612345678', 'Ada')
  const choices = 'Which size, Ada?\n\n1. Small\n2. Large\n\nReply with a number.'
  await expect.poll(shown).toHaveLength(2)
  expect(shown().at(-1)).toBe(choices)
  await twilio.say('+33612345678', '2')
  await expect.poll(shown).toHaveLength(3)
  expect(shown().at(-1)).toBe('Ada: Large')

  const forged = await fetch(`${service.address}/v1/channels/texts/webhook`, {
    method: 'POST',
    body: new URLSearchParams({ MessageSid: 'SM1', From: '+33612345678', Body: 'forged' }),
  })
  expect(forged.status).toBe(401)
  const headers = { authorization: 'Bearer adm1n' }
  const deliveries = await fetch(`${service.address}/v1/channels/texts/deliveries`, { headers })
  expect(await deliveries.json()).toMatchObject({
    deliveries: ['delivered', 'delivered', 'delivered'].map((state) => ({ state })),
  })
})
