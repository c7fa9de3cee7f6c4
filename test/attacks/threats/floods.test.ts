import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/compose/app.ts'
import { composeService } from '../../../src/compose/composition-root.ts'
import type { Config } from '../../../src/config/config.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { divideMemory } from '../../../src/config/memory-shares.ts'
import { createBodyRoom } from '../../../src/http/request/body/body-budget.ts'
import { createUnreadAnswers } from '../../../src/http/response/unread-answers.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { usedHeap } from '../../stores/used-heap.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'
import { wholeDefinition } from '../../support/conformance.ts'

const start = '/v1/flows/welcome/startChat'
const preview = '/v1/flows/welcome/preview/startChat'
const mebibyte = 1024 * 1024

/** Puts a whole service together, with one flow published as `welcome`, and these bounds in place of the usual ones. */
async function assembleService(variables: Record<string, string>, bounds: Partial<Config> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'threats-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const flow = wholeDefinition({ blocks: [textInput('i1'), bubble('b1', 'Hi'), textInput('i2')] })
  writeFileSync(join(folder, 'welcome.json'), JSON.stringify(flow))
  const { config, reach } = await loadConfig({ FLOWS_DIR: folder, ...variables })
  const setup = { config: { ...config, ...bounds }, reach }
  const assembly = await composeService(setup, createLogger('silent'))
  const app = await buildApp(assembly.dependencies)
  onTestFinished(async () => {
    await app.close()
    await assembly.close()
  })
  return { app, flow }
}

const list = Array.from({ length: 300 }, (_, nth) => String(nth))

/** Takes some ten milliseconds, a part of them in each block. */
const heavyBlocks = wholeDefinition({
  variables: [variable('List', { value: list }), variable('Sum')],
  blocks: Array.from({ length: 25 }, (_, nth) =>
    setVariable(`s${nth}`, 'vSum', {
      expressionToEvaluate: `JSON.stringify([${Array(60).fill('{{List}}').join()}]).length + ${nth}`,
      isCode: true,
    }),
  ),
})

/** Has an operator ask twenty times at once for each of some things about results: all are served, and turns meanwhile. */
async function staysReady(method: 'GET' | 'DELETE', ends: readonly string[]): Promise<void> {
  const { app } = await assembleService(
    { MAX_EVENT_LOOP_DELAY_MS: '60000', ADMIN_TOKEN: 'op3rator' },
    { heavyTurns: { maxPreviews: 2, max: 3 } },
  )
  expect((await app.inject({ method: 'POST', url: start })).statusCode).toBe(200)
  const headers = { authorization: 'Bearer op3rator' }
  const urls = ends.map((end) => `/v1/flows/welcome/results${end}`)
  const many = Array.from({ length: 20 }, () => urls).flat()
  const requests = many.map((url) => app.inject({ method, url, headers }))
  let isOver = false
  const over = Promise.all(requests).finally(() => {
    isOver = true
  })
  const readiness: number[] = []
  while (!isOver) {
    readiness.push((await app.inject('/ready')).statusCode)
    await setTimeout(1)
  }
  expect(new Set((await over).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(new Set(readiness)).toEqual(new Set([200]))
}

describe('threats by many', () => {
  it('An address asks without end', async () => {
    const { app } = await buildTestApp({ chat: recordingChat().chat, config: { rateLimitMax: 3 } })
    const ask = (remoteAddress: string, forwarded: string) =>
      app.inject({ method: 'POST', url: start, remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    const statuses: number[] = []
    for (const nth of [1, 2, 3, 4]) statuses.push((await ask('192.0.2.1', `192.0.2.${10 + nth}`)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await ask('192.0.2.2', '192.0.2.1')).statusCode).toBe(200)
    const refused = await ask('192.0.2.1', '')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('More comes than the process can carry', async () => {
    const { app } = await buildTestApp({
      chat: recordingChat().chat,
      load: { delayMs: 600, heapBytes: 0, rssBytes: 0 },
      loadLimits: { delayMs: 500, heapBytes: 1_000_000, rssBytes: 1_000_000 },
    })
    const refused = await app.inject({ method: 'POST', url: start })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    // Who is in a conversation goes on, and who watches over the service is answered.
    expect((await app.inject({ method: 'POST', url: '/v1/sessions/s/continueChat' })).statusCode).toBe(200)
    expect((await app.inject('/health')).statusCode).toBe(200)
  })

  it('Requests that take long keep other callers waiting', async () => {
    const { app, flow } = await assembleService(
      { MAX_EVENT_LOOP_DELAY_MS: '60000' },
      { heavyTurns: { maxPreviews: 2, max: 32 } },
    )
    const post = (url: string, payload: object = {}) => app.inject({ method: 'POST', url, payload })
    const sendHeavy = async (nth: number) => {
      const draft = { ...flow, id: `heavy-${nth}`, ...heavyBlocks }
      const { statusCode, headers } = await post('/v1/flows/draft/preview/startChat', { flow: draft })
      return statusCode === 503 ? `503 after ${headers['retry-after']}` : String(statusCode)
    }
    const statuses = new Set<string>()
    let isOvertaken = false
    // How requests meet is up to the machine: one round may not show all of it.
    for (let round = 0; round < 20 && !(isOvertaken && statuses.size > 1); round += 1) {
      let pending = 12
      const heavy = Array.from({ length: pending }, async (_, nth) => {
        statuses.add(await sendHeavy(nth))
        pending -= 1
      })
      // Those that are admitted have begun by then.
      await setTimeout(20)
      const { sessionId } = (await post(start)).json()
      const others = await Promise.all([
        post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' }),
        app.inject('/health'),
      ])
      isOvertaken ||= pending > 0
      expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      await Promise.all(heavy)
    }
    expect([isOvertaken, statuses]).toEqual([true, new Set(['200', '503 after 1'])])
    const { status, notices } = (await app.inject('/ready')).json()
    expect([status, notices]).toEqual(['ready', [expect.stringContaining('Previews without a token')]])
    expect((await app.inject('/metrics')).body).toMatch(/heavy_turns_refused_total\{turn="preview"\} [1-9]/)
  })

  it('Readers of results keep visitors waiting', () => staysReady('GET', ['/export', '?limit=500', '/count']))

  it('Those who erase results keep visitors waiting', () => staysReady('DELETE', ['?all=true']))

  it('Connections are held by requests that never end', async () => {
    const { app } = await buildTestApp({ chat: recordingChat().chat })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const answers = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1')
      const drip = setInterval(() => socket.writable && socket.write('x-more: 1\r\n'), 500)
      socket.once('close', () => clearInterval(drip)).write(`POST ${start} HTTP/1.1\r\nhost: a\r\n`)
      onTestFinished(() => void socket.destroy())
      // One that is reset while it is written to loses the answer that it has not read yet.
      return text(socket).catch(() => 'reset')
    })
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    const heads = (await Promise.all(answers)).map((answer) => answer.slice(0, 13))
    expect(new Set(heads.filter((head) => head !== 'reset'))).toEqual(new Set(['HTTP/1.1 408 ']))
  })

  it('Bodies that are never sent to their end fill the memory', async () => {
    // Four bodies and the ends of the blocks in which they are kept.
    const maxBytes = 4.5 * mebibyte
    const room = createBodyRoom({ maxBytes, elapsed: () => performance.now() })
    const { app } = await buildTestApp({ chat: recordingChat().chat, room })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const head = `POST ${preview} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`
    const hold = () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      socket.write(`${head}content-length: ${mebibyte}\r\n\r\n{"flow":"${'x'.repeat(mebibyte - 100)}`)
      return new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    }
    const refused = Array.from({ length: 30 }, hold)
    // Long before a body is given up as it does not arrive, which is no proof that others had no room.
    const late = setTimeout(60_000, 'nobody was refused', { ref: false })
    expect(await Promise.race([Promise.any(refused), late])).toMatch(/^HTTP\/1\.1 503 /)
    await expect.poll(() => room.usage().entries).toBe(4)
    expect(room.usage().bytes).toBeLessThanOrEqual(maxBytes)
    // A continue has room in any case.
    const payload = { message: 'Ada' }
    const url = '/v1/sessions/s/continueChat'
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(200)
  })

  it('Answers that are never read fill the memory', async () => {
    const { chat } = recordingChat(JSON.stringify({ messages: 'x'.repeat(8 * mebibyte) }))
    const unreadAnswers = createUnreadAnswers({ maxBytes: 20 * mebibyte })
    const unread = { maxBytes: 20 * mebibyte, maxMs: 1_000 }
    const { app } = await buildTestApp({ chat, unreadAnswers, config: { unread } })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const ends = Array.from({ length: 8 }, async () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause()
      onTestFinished(() => void socket.destroy())
      socket.write(`POST ${start} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`)
      return socket
    })
    await Promise.all(ends)
    await expect.poll(() => unreadAnswers.usage()).toMatchObject({ entries: 2, evicted: 6 })
    expect(unreadAnswers.usage().bytes).toBeLessThanOrEqual(20 * mebibyte)
    // Those that had room may not keep it for ever.
    await expect.poll(() => unreadAnswers.usage().entries, { timeout: 60_000 }).toBe(0)
    expect((await app.inject({ method: 'POST', url: start })).statusCode).toBe(200)
  })

  it('Streams of events are opened and never closed', async () => {
    const { app } = await assembleService({ MAX_CONNECTIONS: '40' })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const begin = async () => (await app.inject({ method: 'POST', url: start })).json()['sessionId'] as string
    const ending = new AbortController()
    const follow = (sessionId: string) =>
      fetch(`${address}/v1/sessions/${sessionId}/events`, { signal: ending.signal }).then(
        ({ status }) => status,
      )
    const statuses = async (count: number, sessionId: string) =>
      Promise.all(Array.from({ length: count }, () => follow(sessionId)))
    const [first, second] = [await begin(), await begin()]
    expect((await statuses(6, first)).sort()).toEqual([200, 200, 200, 200, 200, 429])
    expect((await statuses(4, second)).sort()).toEqual([200, 200, 200, 429])
    const metrics = (await app.inject('/metrics')).body
    expect(metrics).toContain('flow_runtime_store_entries{store="event streams"} 8')
    ending.abort()
    await expect
      .poll(async () => (await app.inject('/metrics')).body)
      .toContain('flow_runtime_store_entries{store="event streams"} 0')
  })

  it('A body holds more than can be parsed while others wait', async () => {
    const { chat, published, previews } = recordingChat()
    const { app } = await buildTestApp({ chat })
    const member = (name: number) => `"${name.toString(36)}":0`
    const members = Array.from({ length: 120_000 }, (_, name) => member(name)).join()
    const send = (url: string, payload: string) =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
    const inEach = Array.from({ length: 30_000 }, (_, name) => `{${member(name)}}`).join()
    for (const [url, payload] of [
      [start, `{"unknown":{${members.slice(0, 900_000)}}}`],
      [preview, `{"flow":{"variables":[${inEach}]}}`],
      [preview, `{"flow":{},"more":[${'{},'.repeat(400_000)}0]}`],
      [start, `{"prefilledVariables":${'[{"a":'.repeat(70_000)}0${'}]'.repeat(70_000)}}`],
    ] as const) {
      const { statusCode, json } = await send(url, payload)
      expect([url, statusCode, json().message]).toEqual([
        url,
        400,
        expect.stringMatching(/holds more than \d+/),
      ])
    }
    expect([published, previews]).toEqual([[], []])
    expect(
      (await send(start, JSON.stringify({ unknown: `{"a":[1,2]},${'[{":,'.repeat(150_000)}` }))).statusCode,
    ).toBe(200)
  })

  it('Previews push out live sessions', async () => {
    const memory = { ...divideMemory(mebibyte), sessions: 4096, previews: 4096, drafts: 65_536 }
    const { app, flow } = await assembleService({}, { memory })
    const post = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, payload })).json()
    const { sessionId } = await post(start, {})
    for (let nth = 0; nth < 200; nth++) {
      const draft = { ...flow, id: `draft-${nth}`, theme: { customCss: 'x'.repeat(2048) } }
      await post('/v1/flows/draft/preview/startChat', { flow: draft })
    }
    const { messages } = await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
    expect(messages).toMatchObject([{ id: 'b1' }])
  })

  it('Turns of a large draft add to what its program holds', async () => {
    const { app } = await assembleService({})
    const post = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, payload })).json()
    // A loop back to the first block, so that no block can be counted from the one before it.
    const inputs = Array.from({ length: 4_000 }, (_, nth) => textInput(`i${nth}`))
    const flow = wholeDefinition({
      groups: [
        { id: 'g', title: 'All', blocks: [...inputs, { ...textInput('last'), outgoingEdgeId: 'back' }] },
      ],
      edges: [{ id: 'back', from: { blockId: 'last' }, to: { groupId: 'g' } }],
      theme: { general: { progressBar: { isEnabled: true } } },
    })
    const { sessionId, progress } = await post('/v1/flows/draft/preview/startChat', { flow })
    expect(progress).toBeLessThan(1)
    const goOn = () => post(`/v1/sessions/${sessionId}/continueChat`, { message: 'x' })
    for (let turn = 0; turn < 10; turn++) await goOn()
    const before = usedHeap()
    for (let turn = 0; turn < 200; turn++) await goOn()
    expect(usedHeap() - before).toBeLessThan(4 * 1024 * 1024)
    expect((await goOn()).input).toMatchObject({ id: 'i211' })
  })

  it('A flood of starts pushes out conversations that have begun', async () => {
    const { app } = await assembleService({}, { memory: { ...divideMemory(mebibyte), sessions: 65_536 } })
    const post = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, payload })).json()
    const { sessionId } = await post(start, {})
    const goOn = () => post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
    expect((await goOn()).input).toMatchObject({ id: 'i2' })
    for (let nth = 0; nth < 500; nth++) await post(start, {})
    expect(await goOn()).toEqual({ messages: [] })
  })

  it('A flood of starts, answers and logs pushes out what others have answered', async () => {
    const memory = { ...divideMemory(16 * mebibyte), results: 131_072 }
    const { app } = await assembleService({ ADMIN_TOKEN: 'adm1n' }, { memory })
    const answer = async (remoteAddress: string) => {
      const post = async (url: string, payload: object) =>
        (await app.inject({ method: 'POST', url, payload, remoteAddress })).json()
      const { sessionId, resultId } = await post(start, {})
      await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
      const logs = Array(10).fill({ description: 'x'.repeat(500) })
      const report = () => post(`/v2/sessions/${sessionId}/clientLogs`, { clientLogs: logs })
      return { resultId, report, begin: () => post(start, {}) }
    }
    const others = await Promise.all(Array.from({ length: 20 }, (_, nth) => answer(`192.0.2.${nth}`)))
    for (let nth = 0; nth < 100; nth++) {
      const { begin, report } = await answer('198.51.100.1')
      await begin()
      await report()
    }
    const url = '/v1/flows/flow-1/results'
    const kept = async ({ resultId }: { resultId: string }) =>
      (await app.inject({ url: `${url}/${resultId}`, headers: { authorization: 'Bearer adm1n' } })).statusCode
    expect(await Promise.all(others.map(kept))).toEqual(Array(20).fill(200))
  })
})
