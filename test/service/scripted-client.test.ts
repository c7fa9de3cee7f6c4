import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltService, startBuiltService } from '../support/built-service.ts'
import { generateClient, type Operation } from '../support/openapi-client.ts'
import type { Description } from '../support/openapi-document.ts'
import { draftFor, draftVisit } from './draft.ts'
import type { VisitorClient } from './messages.ts'
import { startPlantModel } from './plant-model.ts'
import { sampleFlows, sightsOf } from './sample-flows.ts'
import { converse, type Memory, type Turn, type Visit } from './visitor.ts'
import { visits } from './visits.ts'

const root = join(import.meta.dirname, '../..')
const adminToken = 'operator-1'

interface Started extends Turn {
  readonly sessionId: string
  readonly resultId: string
}

type Client = VisitorClient & Record<'startChat' | 'startPreviewChat' | 'getResult', Operation>

let folder: string
let model: Awaited<ReturnType<typeof startPlantModel>>
let service: BuiltService
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scripted-client-'))
  model = await startPlantModel()
  const accounts = join(folder, 'accounts.json')
  writeFileSync(accounts, JSON.stringify([model.account]), { mode: 0o600 })
  service = await startBuiltService({
    FLOWS_DIR: './flows',
    ADMIN_TOKEN: adminToken,
    UPLOADS_DIR: join(folder, 'uploads'),
    CREDENTIALS_FILE: accounts,
    OUTBOUND_ALLOW: '127.0.0.1',
  })
  const { address } = service
  const document: Description = JSON.parse(await (await fetch(`${address}/openapi.json`)).text())
  client = generateClient<keyof Client>(document, { address, tokens: { adminToken } })
})

afterAll(async () => {
  expect(await service.stop()).toBe(0)
  model.close()
  rmSync(folder, { recursive: true })
})

/** Starts a flow, again and again until chance begins it as the visit wants. */
async function begin(publicId: string, { start, beginsWith }: Visit): Promise<Started> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const body = { ...start, textBubbleContentFormat: 'markdown' }
    const answer = await client.startChat({ parameters: { publicId }, body })
    expect(answer.status).toBe(200)
    const started = answer.body as Started
    if (!beginsWith || started.messages.some(({ id }) => id === beginsWith)) return started
  }
  throw new Error(`${publicId} never began with ${beginsWith}`)
}

async function expectEnded(sessionId: string): Promise<void> {
  const answer = await client.continueChat({ parameters: { sessionId }, body: { message: 'Anybody there?' } })
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: 'Session not found.' } })
}

function expectText(text: string, expected: string | RegExp): void {
  if (typeof expected === 'string') expect(text).toBe(expected)
  else expect(text).toMatch(expected)
}

async function visit(publicId: string, plan: Visit): Promise<Memory> {
  const started = await begin(publicId, plan)
  const { sessionId, resultId } = started
  const memory = await converse(client, { sessionId, turn: started, lines: plan.lines })
  expectText(memory.lastText, plan.endsWith)
  await expectEnded(sessionId)
  const result = await client.getResult({ parameters: { publicId, resultId } })
  const answers = memory.answered.map((blockId) => expect.objectContaining({ blockId }))
  expect(result.body).toMatchObject({ answers, isCompleted: answers.length > 0 })
  return memory
}

/** What the browser is asked to do on each sample flow. */
const actions: Readonly<Record<string, readonly string[]>> = {
  'coffee-bar': [],
  'lead-form': ['googleAnalytics', 'startPropsToInject'],
  'opening-hours': [],
  'plant-help': [],
  'product-quiz': ['redirect', 'wait'],
  'support-triage': ['chatwoot', 'scriptToExecute', 'startPropsToInject'],
}

describe.each(sampleFlows)('the flow %s, by a client that knows only /openapi.json', (name) => {
  const { bubbles, inputs, branches, hasProgressBar } = sightsOf(name)
  const plans = visits[name] ?? []
  const memories: Memory[] = []
  const missed = (wanted: readonly string[], part: 'shown' | 'picked' | 'actions') =>
    wanted.filter((id) => !memories.some((memory) => memory[part].has(id)))

  it('has visitors, who are refused something where anything is asked', () => {
    expect(plans.length).toBeGreaterThan(0)
    const isAnythingRefused = plans.some(({ lines }) => lines.some(({ isRefused }) => isRefused))
    expect(isAnythingRefused).toBe(inputs.length > 0)
  })

  it.each(plans.map((plan) => [plan.title, plan] as const))('leads %s to its end', async (_title, plan) => {
    const memory = await visit(name, plan)
    if (hasProgressBar) expect(memory.progress).toBe(100)
    else expect(memory.progress).toBeUndefined()
    memories.push(memory)
  })

  it('has then shown every bubble and input, taken every branch, and asked for every action', () => {
    expect(missed([...bubbles, ...inputs], 'shown')).toEqual([])
    expect(missed(branches, 'picked')).toEqual([])
    const asked = new Set(memories.flatMap((memory) => [...memory.actions]))
    expect([...asked].sort()).toEqual(actions[name])
  })
})

describe('a client that knows only /openapi.json', () => {
  it('tries a draft out, and does what it asks of a browser', async () => {
    const flow = draftFor(service.address)
    const body = { flow, textBubbleContentFormat: 'markdown' }
    const answer = await client.startPreviewChat({ parameters: { flowId: flow.id }, body })
    const turn = answer.body as Started
    const memory = await converse(client, { sessionId: turn.sessionId, turn, lines: draftVisit.lines })
    expectText(memory.lastText, draftVisit.endsWith)
    expect([...memory.actions]).toEqual(['setVariable', 'wait', 'httpRequestToExecute', 'listenForWebhook'])
    await expectEnded(turn.sessionId)
  })

  it('may repeat a start and a reply by their keys, and nothing happens twice', async () => {
    const key = (purpose: string) => ({ 'idempotency-key': `${purpose}-5d0e-4a43-9a0b-6a6d3a3f6f0e` })
    const start = () => client.startChat({ parameters: { publicId: 'lead-form', ...key('start') }, body: {} })
    const first = await start()
    const again = await start()
    const { sessionId, resultId } = first.body as Started
    expect(again.body).toEqual(first.body)
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])

    const reply = (message: string) =>
      client.continueChat({ parameters: { sessionId, ...key('reply') }, body: { message } })
    const answer = await reply('Ada')
    expect((await reply('Ada')).body).toEqual(answer.body)
    expect(await reply('Eve')).toMatchObject({ status: 422, body: { code: 'UNPROCESSABLE_CONTENT' } })
    const result = await client.getResult({ parameters: { publicId: 'lead-form', resultId } })
    expect(result.body).toMatchObject({ answers: [{ blockId: 'b-name', content: 'Ada' }] })
  })

  it('shares nothing with the service but the document', () => {
    const files = localImportsFrom(import.meta.filename)
    expect(files).toContain('test/support/openapi-client.ts')
    expect(files.filter((file) => !file.startsWith('test/'))).toEqual([])
  })
})

/** Every file of the project that a file imports, and those that these import. */
function localImportsFrom(file: string, known = new Set<string>()): string[] {
  const path = relative(root, file).replaceAll('\\', '/')
  if (known.has(path)) return []
  known.add(path)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*\(?\s*'(\.[^']+)'/g,
  )) {
    localImportsFrom(resolve(dirname(file), specifier), known)
  }
  return [...known]
}
