import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../test/support/json.ts'
import { startFakeTelegram } from '../test/support/providers/fake-telegram.ts'
import { startFakeWhatsApp } from '../test/support/providers/fake-whatsapp.ts'
import { loopFlow } from './flows/published.ts'
import { percentile, rounded } from './support/figures.ts'
import type { PinnedProcess } from './support/pinned-process.ts'
import { requireBuild, startService } from './support/service.ts'

// How soon messages of messengers are acknowledged and answered: `npm run bench:channels`, as docs/performance.md tells.

/** Numbers and bots, each with a channel: as many as may send what the most messages are answered by. */
const eachKind = 8

/** Of each channel: a person says something every seven seconds then. */
const people = 220

const secondsEach = 15

/** At one at which answers keep up beside everything else that the machine does, and at the pace that is to be acknowledged. */
const paces = [100, 500]

const slow = { perSecond: 20, answersAfterMs: 10_000 }

/** A bot, or a number, and whom to tell what people say to it. */
interface Fake {
  readonly account: object
  readonly urls: string[]
  /** Answers of the service that were no success, and calls of it that were against the documentation. */
  readonly answers: number[]
  readonly refused: readonly string[]
  sayText(person: string, text: string): Promise<unknown>
  close(): void
  /** What was sent to people so far. */
  sent(): readonly { readonly body: Json; readonly at: number }[]
}

async function startTelegram(): Promise<Fake> {
  const fake = await startFakeTelegram()
  return { ...fake, sent: () => fake.shown }
}

async function startWhatsApp(): Promise<Fake> {
  const fake = await startFakeWhatsApp()
  return { ...fake, sent: () => fake.accepted }
}

/** A bot whose API takes its time, and everything that it is sent. */
async function startSlow(): Promise<Fake> {
  const fake = await startTelegram()
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      await sleep(slow.answersAfterMs)
      response.setHeader('content-type', 'application/json').end('{"ok":true,"result":{"message_id":1}}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...fake,
    account: { ...fake.account, baseUrl },
    close() {
      fake.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

let said = 0

/** Has people of some channels say so many things a second in all, whether they are answered or not. */
async function talk(fakes: readonly Fake[], perSecond: number) {
  const saidAt = new Map<string, number>()
  const acknowledged: number[] = []
  const all: Promise<void>[] = []
  const began = performance.now()
  const total = perSecond * secondsEach
  async function say(dueAt: number): Promise<void> {
    const nth = said++
    const fake = fakes[nth % fakes.length] as Fake
    const person = String(4_915_100_000 + (Math.floor(nth / fakes.length) % people))
    saidAt.set(`said-${nth}.`, dueAt)
    await fake.sayText(person, `said-${nth}`)
    acknowledged.push(performance.now() - dueAt)
  }
  while (all.length < total) {
    const due = Math.min(total, ((performance.now() - began) / 1000) * perSecond)
    // What this process was late for counts from when it was due.
    while (all.length < due) all.push(say(began + (all.length / perSecond) * 1000))
    await sleep(2)
  }
  await Promise.all(all)
  return { saidAt, acknowledged }
}

/** Loads the service; a row of figures in milliseconds. */
async function measure(
  service: PinnedProcess,
  { perSecond, besides }: { perSecond: number; besides?: Fake },
) {
  const cpuBefore = service.cpuMs()
  const began = performance.now()
  const [{ saidAt, acknowledged }] = await Promise.all([
    talk(fakes, perSecond),
    besides && talk([besides], slow.perSecond),
  ])
  const passedMs = performance.now() - began
  const busy = (service.cpuMs() - cpuBefore) / passedMs
  const answered = new Map<string, number>()
  const looked = fakes.map(() => 0)
  const look = () => {
    for (const [nth, fake] of fakes.entries()) {
      const sent = fake.sent()
      for (const { body, at } of sent.slice(looked[nth])) {
        const [name = ''] = /said-\d+\./.exec(JSON.stringify(body)) ?? []
        const due = saidAt.get(name)
        if (due !== undefined) answered.set(name, at - due)
      }
      looked[nth] = sent.length
    }
    return answered.size
  }
  const patience = performance.now() + 30_000
  while (look() < saidAt.size && performance.now() < patience) await sleep(200)
  const misdone = fakes.flatMap(({ refused }) => refused)
  if (misdone.length > 0) throw new Error(`against the documentation: ${misdone[0]}`)
  const pair = (values: readonly number[]) =>
    `${rounded(percentile(values, 0.5))}, ${rounded(percentile(values, 0.99))}`
  return {
    'in/s': Math.round(acknowledged.length / (passedMs / 1000)),
    'acknowledged p50, p99 ms': pair(acknowledged),
    'answered p50, p99 ms': pair([...answered.values()]),
    unanswered: saidAt.size - answered.size,
    'refused, and delivered anew': all.reduce((sum, { answers }) => sum + answers.splice(0).length, 0),
    'service busy': rounded(busy),
    load: rounded(loadavg()[0] ?? 0),
  }
}

requireBuild('.')
// PostgreSQL and the messengers are too much for one core beside this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const fakes: Fake[] = []
for (let nth = 0; nth < eachKind; nth++) fakes.push(await startWhatsApp(), await startTelegram())
const slowFake = await startSlow()
const folder = mkdtempSync(join(tmpdir(), 'bench-channels-'))
const fileOf = (name: string, content: object) => {
  writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
  return join(folder, name)
}
const all = [...fakes, slowFake]
const typeOf = ({ account }: Fake) => ('botToken' in account ? 'telegram' : 'whatsapp')
const accounts = all.map((fake, nth) => ({ id: `account-${nth}`, type: typeOf(fake), data: fake.account }))
const channels = all.map((_, nth) => [
  `channel-${nth}`,
  { account: `account-${nth}`, flow: loopFlow['publicId'] },
])
const workload = {
  name: 'channels',
  flows: [loopFlow],
  mode: 'PostgreSQL' as const,
  variables: {
    ADMIN_TOKEN: 'an-operator-of-benchmarks',
    OUTBOUND_ALLOW: '127.0.0.1',
    CREDENTIALS_FILE: fileOf('accounts', accounts),
    CHANNELS_FILE: fileOf('channels', Object.fromEntries(channels)),
  },
  prepareLoad: () => Promise.reject(),
}
const service = await startService(workload, { node: process.execPath, build: { folder: '.' } })
for (const [nth, { urls }] of all.entries())
  urls.push(`${service.address}/v1/channels/channel-${nth}/webhook`)

await measure(service, { perSecond: 100 })
const rows: Record<string, Json> = {}
for (const perSecond of paces) {
  rows[`${perSecond}/s`] = await measure(service, { perSecond })
  rows[`${perSecond}/s beside a slow one`] = await measure(service, { perSecond, besides: slowFake })
}
console.table(rows)
for (const fake of all) fake.close()
await service.stop()
rmSync(folder, { recursive: true })
