import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Analytics } from '../../../schemas/analytics.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { countedFlow, drawsOf, funnels, recount, replyTo, talliesOf } from '../../support/counted-flow.ts'
import type { Json } from '../../support/json.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

/** Conversations of each back end. */
const visitors = Number(process.env['VISITORS'] ?? 1500)
const atOnce = 24

/** Milliseconds between two kills. */
const killMs = 2500
const leastKills = 3

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'counted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'counted.json'), JSON.stringify(countedFlow))
  return folder
}

type Service = Awaited<ReturnType<typeof startBuiltService>>

/** Processes with the same stores, each of which is there again soon after it was killed. */
async function startServices(variables: Record<string, string>, count: number) {
  const open = async () => {
    const service = await startBuiltService({ ...variables, ADMIN_TOKEN: 'operator' })
    onTestFinished(() => void service.child.kill('SIGKILL'))
    return service
  }
  const services: Service[] = []
  for (let nth = 0; nth < count; nth++) services.push(await open())
  const headers = { authorization: 'Bearer operator', 'content-type': 'application/json' }
  async function send(path: string, body?: Json, nth = 0): Promise<Json | undefined> {
    const { address } = services[nth % services.length] as Service
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const response = await fetch(address + path, sent)
    return response.ok ? ((await response.json()) as Json) : undefined
  }
  return {
    async read(path: string): Promise<string> {
      const response = await fetch((services[0] as Service).address + path, { headers })
      return response.text()
    },
    /** Undefined where nothing comes back: the service was killed, or is. */
    send: (path: string, body?: Json, nth?: number) => send(path, body, nth).catch(() => undefined),
    async kill(nth: number) {
      const { child, ended } = services[nth % count] as Service
      child.kill('SIGKILL')
      await ended
      services[nth % count] = await open()
    },
  }
}

type Services = Awaited<ReturnType<typeof startServices>>

/** Visitors who say what they say whatever comes of it, as long as they are asked something; some more for as long as they are wanted. */
async function visitAll({ send }: Services, areMoreWanted = () => false): Promise<void> {
  const draw = drawsOf(11)
  let begun = 0
  async function visit(): Promise<void> {
    const nth = begun++
    const markdown = { textBubbleContentFormat: 'markdown' }
    let start = await send('/v1/flows/counted/startChat', markdown, nth)
    for (; !start; start = await send('/v1/flows/counted/startChat', markdown, nth)) await delay(50)
    let question = 'name?'
    for (let tries = 0; tries < 20; ) {
      const message = replyTo(question, draw)
      if (message === undefined) return
      const path = `/v1/sessions/${start['sessionId']}/continueChat`
      const answer = await send(path, { message, ...markdown }, nth)
      if (!answer) {
        tries += 1
        await delay(100)
        continue
      }
      if (answer['input'] === undefined || answer['paused']) return
      const messages = answer['messages'] as { content: { markdown: string } }[]
      question =
        messages.map(({ content }) => content.markdown).findLast((text) => text.endsWith('?')) ?? question
    }
  }
  const line = async () => {
    while (begun < visitors || areMoreWanted()) await visit()
  }
  await Promise.all(Array.from({ length: atOnce }, line))
}

async function readTranscripts({ send }: Services) {
  const transcripts: { role: string; text: string }[][] = []
  for (let cursor: unknown = ''; cursor !== undefined; ) {
    const page = await send(`/v1/flows/counted/results?limit=500${cursor && `&cursor=${cursor}`}`)
    if (!page) throw new Error('results can be read')
    for (const { transcript } of page['results'] as { transcript: (typeof transcripts)[0] }[])
      transcripts.push(transcript)
    cursor = page['nextCursor']
  }
  return transcripts
}

async function expectAllCounted(services: Services, least: number): Promise<void> {
  const recounted = recount(await readTranscripts(services))
  expect(recounted['conversations']).toBeGreaterThanOrEqual(least)
  const counted = async () => {
    const analytics: Analytics[] = []
    for (const funnel of funnels) {
      const path = `/v1/flows/counted/analytics?funnel=${funnel.map(encodeURIComponent)}`
      analytics.push((await services.send(path)) as unknown as Analytics)
    }
    const rows = await services.read('/v1/flows/counted/analytics/export?format=ndjson')
    return talliesOf(
      analytics,
      rows
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row)),
    )
  }
  // Processes that never lived for as long as it takes to begin counting have left more than one request counts.
  await expect.poll(counted, { timeout: 60_000 }).toEqual(recounted)
  await delay(killMs)
  expect(await counted()).toEqual(recounted)
}

/** Kills one process after the other, for as long as visitors come: a few times, however soon they would be gone. */
async function visitWhileKilled(services: Services): Promise<void> {
  let isOver = false
  let kills = 0
  const visits = visitAll(services, () => kills < leastKills).finally(() => {
    isOver = true
  })
  for (await delay(killMs); !isOver; await delay(killMs)) await services.kill(kills++)
  await visits
}

const long = { timeout: visitors * 600, retry: 0 }

it('counts in memory what transcripts tell', long, async () => {
  const services = await startServices({ FLOWS_DIR: makeFolder() }, 1)
  await visitAll(services)
  await expectAllCounted(services, visitors)
})

it(
  'counts in a folder what transcripts tell, each once, though the process is killed again and again',
  long,
  async () => {
    const folder = makeFolder()
    const services = await startServices({ FLOWS_DIR: folder, DATA_DIR: join(folder, 'data') }, 1)
    await visitWhileKilled(services)
    await expectAllCounted(services, visitors)
  },
)

describeWithPostgres('PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it(
    'counts what transcripts tell, each once, though one of two processes is killed again and again',
    long,
    async () => {
      const services = await startServices({ FLOWS_DIR: makeFolder(), DATABASE_URL: databaseUrl() }, 2)
      await visitWhileKilled(services)
      await expectAllCounted(services, visitors)
    },
  )
})
