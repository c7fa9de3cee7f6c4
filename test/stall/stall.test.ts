import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodies } from './largest/bodies.ts'
import { code } from './largest/code.ts'
import { drafts } from './largest/drafts.ts'
import { listening, otherClients } from './largest/other-clients.ts'
import { replies } from './largest/replies.ts'
import { responses } from './largest/responses.ts'
import { streams } from './largest/streams.ts'
import { tests } from './largest/tests.ts'
import { values } from './largest/values.ts'
import { accountsAt, vendors } from './largest/vendors.ts'
import { startWatchedService, type WatchedService } from './watched-service.ts'
import { createWorld, type OtherSystem, type Row, startOtherSystem, token, type World } from './world.ts'

/** Units of work, of about a millisecond each, that a single request may keep all others waiting for. */
const longest = 100

/** A stop that happens once is that of the machine, or of a collection of garbage that others have made. */
const attempts = 5

let folder: string
let other: OtherSystem
let service: WatchedService
let world: World

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stall-'))
  other = await startOtherSystem()
  mkdirSync(join(folder, 'flows'))
  writeFileSync(join(folder, 'flows', 'listening.json'), JSON.stringify(listening))
  const accounts = join(folder, 'accounts.json')
  writeFileSync(accounts, JSON.stringify(accountsAt(other.url)))
  service = await startWatchedService({
    FLOWS_DIR: join(folder, 'flows'),
    // What is to be measured is not to be refused.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    RATE_LIMIT_MAX: '0',
    PREVIEW_TOKEN: token,
    ADMIN_TOKEN: token,
    COMPAT_API: 'on',
    PUBLIC_URL: 'https://bot.example',
    UPLOADS_DIR: join(folder, 'uploads'),
    CREDENTIALS_FILE: accounts,
    OUTBOUND_ALLOW: new URL(other.url).host,
    OPENAI_API_KEY: 'key-of-the-stall-suite',
    OPENAI_BASE_URL: `${other.url}/v1`,
  })
  world = createWorld(service.address, other)
})

afterAll(async () => {
  await service.stop()
  other.close()
  rmSync(folder, { recursive: true })
})

/** The longest stop of the best attempt; no further one is made once one is short enough. */
async function longestStop({ prepare }: Row): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && best > longest; attempt++) {
    best = Math.min(best, await service.longestStop(await prepare(world)))
  }
  return best
}

const kinds = {
  bodies,
  drafts,
  tests,
  code,
  replies,
  values,
  responses,
  streams,
  'answers of vendors': vendors,
  'requests of other clients': otherClients,
}

describe.each(Object.entries(kinds))('the largest %s keep no request waiting', (_kind, rows) => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    expect(await longestStop(row)).toBeLessThan(longest)
  })
})
