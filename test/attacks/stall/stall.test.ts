import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import { bodies } from './largest/bodies.ts'
import { code } from './largest/code.ts'
import { drafts } from './largest/drafts.ts'
import { followedSessions } from './largest/followed-sessions.ts'
import { filled, imports } from './largest/imports.ts'
import {
  assistantToken,
  channelsOfMessengers,
  messengers,
  messengersAt,
  offered,
} from './largest/messengers.ts'
import { multiplyingCode } from './largest/multiplying-code.ts'
import { listening, otherClients } from './largest/other-clients.ts'
import { replies } from './largest/replies.ts'
import { responses } from './largest/responses.ts'
import { streams } from './largest/streams.ts'
import { tests } from './largest/tests.ts'
import { values } from './largest/values.ts'
import { accountsAt, vendors } from './largest/vendors.ts'
import { createWorld, type OtherSystem, type Row, startOtherSystem, token, type World } from './world.ts'

/** Units of work, of about a millisecond each, that a single request may keep all others waiting for. */
const longest = 100

/** The same for what comes twenty times a second. */
const longestOfMany = 250

/** A stop that happens once is that of the machine, or of a collection of garbage that others have made. */
const attempts = 5

/** What the event loop of the service was kept from since the last report, as it tells from inside. */
interface Report {
  readonly stopMs: number
  readonly unitMs: number
}

let folder: string
let other: OtherSystem
let variables: Record<string, string>
let service: BuiltService
let world: World

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stall-'))
  other = await startOtherSystem()
  mkdirSync(join(folder, 'flows'))
  writeFileSync(join(folder, 'flows', 'listening.json'), JSON.stringify(listening))
  writeFileSync(join(folder, 'flows', 'offered.json'), JSON.stringify(offered))
  writeFileSync(join(folder, 'flows', 'filled.json'), JSON.stringify(filled))
  const accounts = join(folder, 'accounts.json')
  writeFileSync(accounts, JSON.stringify([...accountsAt(other.url), ...messengersAt(other.url)]))
  const channels = join(folder, 'channels.json')
  writeFileSync(channels, JSON.stringify(channelsOfMessengers))
  variables = {
    FLOWS_DIR: join(folder, 'flows'),
    // What is to be measured is not to be refused.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    RATE_LIMIT_MAX: '0',
    PREVIEW_TOKEN: token,
    ADMIN_TOKEN: token,
    ADMIN_TOKENS: `assistant:mcp=${assistantToken}`,
    CHANNELS_FILE: channels,
    COMPAT_API: 'on',
    PUBLIC_URL: 'https://bot.example',
    UPLOADS_DIR: join(folder, 'uploads'),
    CREDENTIALS_FILE: accounts,
    OUTBOUND_ALLOW: new URL(other.url).host,
    OPENAI_API_KEY: 'key-of-the-stall-suite',
    OPENAI_BASE_URL: `${other.url}/v1`,
  }
  await start({})
})

async function start(more: Record<string, string>): Promise<void> {
  const args = ['--import', './test/attacks/stall/probe.js', 'dist/bin/flow-runtime.js']
  service = await startBuiltService({ ...variables, ...more }, { args })
  world = createWorld(service.address, other)
}

afterAll(async () => {
  await service.stop()
  other.close()
  rmSync(folder, { recursive: true })
})

/** The longest stop of the best attempt; no further one is made once one is short enough. */
async function longestStop({ prepare }: Row): Promise<number> {
  return best(longest, async () => stopDuring(await prepare(world)))
}

/**
 * The longest stop of the event loop during some work, in units of work as the machine did them just before and after,
 * whichever was slower.
 */
async function stopDuring(work: () => Promise<unknown>): Promise<number> {
  const before = await service.report<Report>()
  await work()
  const after = await service.report<Report>()
  return after.stopMs / Math.max(before.unitMs, after.unitMs)
}

async function best(enough: number, attempt: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let made = 0; made < attempts && shortest > enough; made++)
    shortest = Math.min(shortest, await attempt())
  return shortest
}

/** Sends each of these requests in turn, twenty a second for five seconds, whatever is answered. */
async function flood(requests: readonly (() => Promise<unknown>)[]): Promise<void> {
  const answers: Promise<unknown>[] = []
  for (let nth = 0; nth < 100; nth++) {
    answers.push(requests[nth % requests.length]!().catch(() => undefined))
    await setTimeout(50)
  }
  await Promise.all(answers)
}

const kinds = {
  bodies,
  drafts,
  tests,
  code,
  'pieces of code that multiply': multiplyingCode,
  replies,
  values,
  responses,
  streams,
  'sessions that are followed': followedSessions,
  'answers of vendors': vendors,
  'requests of other clients': otherClients,
  'requests of messengers and assistants': messengers,
}

describe.each(Object.entries(kinds))('the largest %s keep no request waiting', (_kind, rows) => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    expect(await longestStop(row)).toBeLessThan(longest)
  })
})

it.each([
  ['pieces of code that multiply', multiplyingCode],
  ['sessions that are followed', followedSessions],
])('%s keep no request waiting, twenty a second', async (_name, rows) => {
  const requests: (() => Promise<unknown>)[] = []
  for (const row of rows) requests.push(await row.prepare(world))
  const stop = await best(longestOfMany, () => stopDuring(() => flood(requests)))
  expect(stop).toBeLessThan(longestOfMany)
})

describe('the largest tables of results keep no request waiting', () => {
  beforeAll(async () => {
    await service.stop()
    // They are imported where results outlive the process.
    await start({ DATA_DIR: join(folder, 'data') })
  })

  it.each(imports.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    expect(await longestStop(row)).toBeLessThan(longest)
  })
})
