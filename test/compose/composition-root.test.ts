import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/compose/app.ts'
import { composeService } from '../../src/compose/composition-root.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { countOf, metricsRows } from '../support/metrics-text.ts'

const definition = wholeDefinition({ blocks: [bubble('b1'), bubble('b2'), textInput('b3')] })

/** The whole service as it is configured, without a process around it. */
async function open(
  variables: Record<string, string> = {},
  published: object = definition,
  log = pino({ level: 'silent' }),
) {
  const folder = mkdtempSync(join(tmpdir(), 'service-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  writeFileSync(join(flows, 'welcome.json'), JSON.stringify(published))
  const setup = await loadConfig({
    FLOWS_DIR: flows,
    UPLOADS_DIR: join(folder, 'uploads'),
    // The machine may be busy with other tests.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    ...variables,
  })
  const assembly = await composeService(setup, log)
  const app = await buildApp(assembly.dependencies)
  let isOpen = true
  const end = async () => {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await assembly.close()
  }
  onTestFinished(end)
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload })).json()
  return { folder, app, post, end, metrics: async () => (await app.inject('/metrics')).body }
}

/** For far longer than it may be late where a test lets it be late by a millisecond. */
function blockEventLoop(): void {
  const end = performance.now() + 1_000
  while (performance.now() < end);
}

describe('the assembled service', () => {
  it('is ready, until something that it needs is away, and names it', async () => {
    const { folder, app } = await open()
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready' })
    rmSync(join(folder, 'uploads'), { recursive: true })
    writeFileSync(join(folder, 'uploads'), '')
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toBe('No uploads can be kept')
  })

  it('says at the start and when it is asked of a channel whose flow nobody has published', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [accounts, channels] = [join(folder, 'accounts.json'), join(folder, 'channels.json')]
    const data = { botToken: '1:t0ken', secretToken: 's3cret-of-the-bot-0' }
    writeFileSync(accounts, JSON.stringify([{ id: 'bot', type: 'telegram', data }]), { mode: 0o600 })
    writeFileSync(channels, JSON.stringify({ shop: { account: 'bot', flow: 'welcom' } }))
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
    const { app } = await open({ CREDENTIALS_FILE: accounts, CHANNELS_FILE: channels }, definition, log)
    const missing = expect.stringMatching(
      /^Channel "shop" is not at work: .*no flow is published as "welcom"/,
    )
    expect(lines).toContainEqual(missing)
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready', notices: [missing] })
  })

  it('is not ready when there is no folder to read flows from', async () => {
    const { app } = await open({ FLOWS_DIR: '/no/such/folder' })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toBe('The folder of the flows does not exist')
  })

  it('is not ready while it has too much to do either, and names everything that speaks against it', async () => {
    const { app } = await open({ FLOWS_DIR: '/no/such/folder', MAX_EVENT_LOOP_DELAY_MS: '1' })
    blockEventLoop()
    await expect
      .poll(async () => (await app.inject('/ready')).json().message)
      .toMatch(/^The folder of the flows does not exist; The event loop is late by \d+ ms, more than 1$/)
    expect((await app.inject('/ready')).statusCode).toBe(503)
  })

  it('goes on with a conversation after a restart where it has a data folder, on the version it began with', async () => {
    const data = mkdtempSync(join(tmpdir(), 'data-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const variables = { DATA_DIR: data, ADMIN_TOKEN: 'operator' }
    const two = { ...definition, groups: [{ id: 'g1', blocks: [textInput('a'), textInput('b')] }] }
    const first = await open(variables, two)
    const { sessionId, resultId } = await first.post('/v1/flows/welcome/startChat', {})
    await first.end()

    const { app, post, metrics } = await open(variables)
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready' })
    const next = await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
    expect(next).toMatchObject({ input: { id: 'b' } })
    const headers = { authorization: 'Bearer operator' }
    const url = `/v1/flows/${definition['id']}/results/${resultId}`
    expect((await app.inject({ url, headers })).json().answers).toMatchObject([{ content: 'Ada' }])
    expect(await metrics()).toMatch(/store_entries\{store="sessions"\} 1/)
    await expect(open(variables)).rejects.toThrow('DATA_DIR is in use by another process')
  })

  it('goes on with a preview by the draft as it was read at the start', async () => {
    const { app, post } = await open()
    const tooDeep = `${'['.repeat(200)}${']'.repeat(200)}`
    const flow = JSON.stringify({
      ...definition,
      groups: [{ id: 'g1', blocks: [textInput('a'), textInput('b')] }],
    })
    const payload = `\ufeff{"flow":${flow.slice(0, -1)},"__proto__":${tooDeep}}}`
    const headers = { 'content-type': 'application/json' }
    const url = '/v1/flows/x/preview/startChat'
    const started = (await app.inject({ method: 'POST', url, payload, headers })).json()
    expect(started).toMatchObject({ input: { id: 'a' } })
    const next = await post(`/v1/sessions/${started.sessionId}/continueChat`, { message: 'hi' })
    expect(next).toMatchObject({ input: { id: 'b' } })
  })

  it('counts what it does', async () => {
    const { app, post, metrics } = await open({ ADMIN_TOKEN: 'operator' })
    const { sessionId } = await post('/v1/flows/welcome/startChat', {})
    await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'hi' })
    for (const text of ['a', 'a', 'a', 'b']) {
      const flow = {
        ...definition,
        groups: [{ id: 'g1', title: text, blocks: [bubble('b1'), textInput('b2')] }],
      }
      await post('/v1/flows/x/preview/startChat', { flow })
    }
    await post('/v1/flows/x/preview/startChat', { flow: {} })
    await app.inject('/v1/nothing')
    const text = await metrics()
    const counts = {
      'requests_total{route="/v1/flows/:publicId/startChat",method="POST",status="200"}': 1,
      'requests_total{route="/v1/sessions/:sessionId/continueChat",method="POST",status="200"}': 1,
      'requests_total{route="/v1/flows/:flowId/preview/startChat",method="POST",status="200"}': 4,
      'requests_total{route="/v1/flows/:flowId/preview/startChat",method="POST",status="400"}': 1,
      'requests_total{route="unknown",method="GET",status="404"}': 1,
      'request_seconds_count{route="/v1/flows/:flowId/preview/startChat"}': 5,
      'request_seconds_bucket{le="+Inf",route="/v1/flows/:flowId/preview/startChat"}': 5,
      'turns_total{kind="live",entry="start"}': 1,
      'turns_total{kind="live",entry="continue"}': 1,
      'turns_total{kind="preview",entry="start"}': 4,
      'flow_starts_total{flow="welcome"}': 1,
      'flow_completions_total{flow="welcome"}': 1,
      'flow_errors_total{flow="welcome"}': 0,
      store_seconds_count: 0,
      'database_connections{state="idle"}': 0,
      turn_blocks_count: 6,
      turn_blocks_sum: 11,
      turn_engine_seconds_count: 6,
      'drafts_total{outcome="compiled"}': 3,
      'drafts_total{outcome="cached"}': 1,
      'drafts_total{outcome="refused"}': 1,
      'store_entries{store="sessions"}': 1,
      'store_entries{store="previews"}': 4,
      'store_entries{store="results"}': 1,
      'store_entries{store="definitions"}': 0,
      'store_entries{store="drafts"}': 2,
      'store_entries{store="programs"}': 1,
      'store_entries{store="draft programs"}': 1,
      'store_entries{store="bodies"}': 0,
      'store_entries{store="unread answers"}': 0,
      'store_entries{store="event streams"}': 0,
      'store_entries{store="connections"}': 0,
      'store_bound_bytes{store="bodies"}': 67_108_864,
      'store_bound_bytes{store="sessions"}': 268_435_456,
    }
    const found = Object.keys(counts).map((series) => [series, countOf(text, `flow_runtime_${series}`)])
    expect(Object.fromEntries(found)).toEqual(counts)
    expect(countOf(text, 'flow_runtime_store_bytes{store="sessions"}')).toBeGreaterThan(100)
    expect(countOf(text, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(countOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined()
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(text).toContain(
      `flow_runtime_build_info{version="${version}",node="${process.version}",backend="memory"} 1`,
    )
  })

  it('counts what it asks its data folder', async () => {
    const data = mkdtempSync(join(tmpdir(), 'data-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const { post, metrics } = await open({ DATA_DIR: data })
    const before = countOf(await metrics(), 'flow_runtime_store_seconds_count') ?? 0
    await post('/v1/flows/welcome/startChat', {})
    const text = await metrics()
    expect(countOf(text, 'flow_runtime_store_seconds_count')).toBeGreaterThan(before)
    expect(countOf(text, 'flow_runtime_database_waiting')).toBeGreaterThanOrEqual(0)
    expect(text).toContain('backend="sqlite"')
  })

  it('shows its load as the largest of its shares', async () => {
    const { metrics } = await open()
    const text = await metrics()
    const shares = ['loop', 'memory', 'queue'].map(
      (of) => countOf(text, `flow_runtime_load_share{of="${of}"}`) as number,
    )
    expect(shares[1]).toBeGreaterThan(0)
    expect(countOf(text, 'flow_runtime_load')).toBeCloseTo(Math.max(...shares), 2)
  })

  it('counts what it refuses to whoever asks too often', async () => {
    const { post, metrics } = await open({ RATE_LIMIT_MAX: '1' })
    for (let nth = 0; nth < 3; nth++) await post('/v1/flows/welcome/startChat', {})
    const series = 'flow_runtime_requests_total{route="/v1/flows/:publicId/startChat",method="POST",status='
    const text = await metrics()
    expect([countOf(text, `${series}"200"}`), countOf(text, `${series}"429"}`)]).toEqual([1, 2])
    expect(countOf(text, 'flow_runtime_turns_total{kind="live",entry="start"}')).toBe(1)
  })

  it('counts what it refuses as it has too much to do', async () => {
    const { app, post, metrics } = await open({ MAX_EVENT_LOOP_DELAY_MS: '1' })
    blockEventLoop()
    await expect.poll(async () => (await app.inject('/ready')).statusCode).toBe(503)
    await post('/v1/flows/welcome/startChat', {})
    await post('/v1/sessions/s/continueChat', { message: 'hi' })
    const text = await metrics()
    for (const route of ['/v1/flows/:publicId/startChat', '/v1/sessions/:sessionId/continueChat']) {
      const series = `flow_runtime_requests_total{route="${route}",method="POST",status="503"}`
      expect([route, countOf(text, series)]).toEqual([route, 1])
    }
  })

  it('asks for the token of its metrics where one is set', async () => {
    const { app } = await open({ METRICS_TOKEN: 't0ken' })
    expect((await app.inject('/metrics')).statusCode).toBe(401)
    const authorization = 'Bearer t0ken'
    expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(200)
  })

  it('counts what the documentation lists', async () => {
    const { app, metrics } = await open()
    await app.inject('/health')
    const documentation = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
    const listed = documentation.split('\n').filter((line) => line.startsWith('| `flow_runtime_'))
    expect(listed).toEqual(metricsRows(await metrics()))
  })
})
