import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

const reminding = wholeDefinition({
  publicId: 'reminding',
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'ev', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT4S' } },
  ],
  groups: { a: [{ id: 'i', type: 'text input' }], r: [{ id: 'r', text: 'Still there?' }] },
  edges: { eR: 'r' },
})

const sessions = 120

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'timers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openProcess(more: Record<string, string>, flows: string) {
  const { address, child } = await startBuiltService({ FLOWS_DIR: flows, ...more })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    async begin(): Promise<string> {
      const headers = { 'content-type': 'application/json' }
      const path = `${address}/v1/flows/reminding/startChat`
      const response = await fetch(path, { method: 'POST', headers, body: '{}' })
      return ((await response.json()) as { sessionId: string }).sessionId
    },
    async messagesOf(sessionId: string): Promise<number> {
      const response = await fetch(`${address}/v1/sessions/${sessionId}`)
      return ((await response.json()) as { messages?: unknown[] }).messages?.length ?? 0
    },
  }
}

type Process = Awaited<ReturnType<typeof openProcess>>

async function expectOneEach({ messagesOf }: Process, ids: readonly string[]): Promise<void> {
  const counts = () => Promise.all(ids.map(messagesOf))
  const once = ids.map(() => 1)
  await expect.poll(counts, { timeout: 40_000, interval: 500 }).toEqual(once)
  await delay(2_000)
  expect(await counts()).toEqual(once)
}

function makeFlows(): string {
  const flows = makeFolder()
  writeFileSync(join(flows, 'reminding.json'), JSON.stringify(reminding))
  return flows
}

it('takes the timers of a folder once each when their process is killed as they come due', async () => {
  const flows = makeFlows()
  const variables = { DATA_DIR: makeFolder() }
  const first = await openProcess(variables, flows)
  const ids = await Promise.all(Array.from({ length: sessions }, first.begin))
  await delay(4_500)
  first.child.kill('SIGKILL')
  await expectOneEach(await openProcess(variables, flows), ids)
})

describeWithPostgres('timers of a database', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('are taken once each by three processes, of which two are killed and one is stopped meanwhile', async () => {
    const flows = makeFlows()
    const variables = { DATABASE_URL: databaseUrl() }
    const open = () => openProcess(variables, flows)
    const [one, two, three] = (await Promise.all([open(), open(), open()])) as [Process, Process, Process]
    const ids = await Promise.all(
      Array.from({ length: sessions }, (_, nth) => [one, two, three][nth % 3]!.begin()),
    )
    await delay(3_500)
    three.child.kill('SIGSTOP')
    await delay(900)
    one.child.kill('SIGKILL')
    const four = await open()
    two.child.kill('SIGKILL')
    three.child.kill('SIGCONT')
    await expectOneEach(four, ids)
  })
})
