import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { encodeJob, type FromWorker, type ToWorker } from '../../../../src/adapters/code-sandbox/protocol.ts'
import { serveJobs } from '../../../../src/adapters/code-sandbox/worker/job-server.ts'
import {
  createQuickJsEngine,
  type EngineStep,
} from '../../../../src/adapters/code-sandbox/worker/quickjs-engine.ts'
import type { CodeJob } from '../../../../src/ports/known-types.ts'

// What runs in the threads runs here in the thread of the tests: only code that means no harm.

const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
const wasm = await WebAssembly.compile(await readFile(file))
const memoryBytes = 8 * 2 ** 20

/** Milliseconds that code runs here only on a machine that is busy with something else. */
const limitMs = 60_000

const jobOf = (body: string, job: Partial<CodeJob> = {}): CodeJob => ({
  body,
  isAsync: true,
  globals: [],
  mayAssign: true,
  mayFetch: true,
  ...job,
})

const start = (
  engine: Awaited<ReturnType<typeof createQuickJsEngine>>,
  job: CodeJob,
  mostMs = limitMs,
): unknown => read(engine.start(encodeJob(job), { isAsync: job.isAsync, limitMs: mostMs }))

const read = (step: EngineStep): unknown => (step.kind === 'done' ? JSON.parse(step.result) : step.kind)

const createTestEngine = (onFetch = (_call: number, _request: string) => {}) =>
  createQuickJsEngine({ wasm, memoryBytes, onFetch })

it('puts everything back as it was, as often as it is asked', async () => {
  const engine = await createTestEngine()
  const body = 'globalThis.count = (globalThis.count ?? 0) + 1; return [count, "x".repeat(200000).length]'
  for (let round = 0; round < 50; round++) {
    expect(start(engine, jobOf(body))).toMatchObject({ value: [1, 200_000] })
    expect(engine.ranMs()).toBeGreaterThan(0)
    expect(engine.reset()).toBe(true)
    expect(engine.ranMs()).toBe(0)
  }
})

it('does not put back a memory that has grown', async () => {
  const engine = await createTestEngine()
  expect(start(engine, jobOf('return "x".repeat(3000000).length'))).toMatchObject({ value: 3_000_000 })
  expect(engine.reset()).toBe(false)
})

it('does not put back what was interrupted', async () => {
  const engine = await createTestEngine()
  expect(start(engine, jobOf('for (;;);'), 200)).toMatchObject({ ok: false, reason: 'limit' })
  expect(engine.reset()).toBe(false)
})

it('runs out of memory before the service does', async () => {
  const engine = await createTestEngine()
  const failure = { ok: false, reason: 'limit', message: 'The code used more memory than it may' }
  expect(start(engine, jobOf('const all = []; for (;;) all.push({})'))).toEqual(failure)
})

it('counts the time that code runs, and not the time that it waits', async () => {
  const engine = await createTestEngine()
  const spin = 'for (const end = Date.now() + 1500; Date.now() < end;);'
  expect(start(engine, jobOf(`${spin} await fetch("a"); ${spin} return 1`), 2900)).toBe('waiting')
  const ranMs = engine.ranMs()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(engine.ranMs()).toBe(ranMs)
  expect(read(engine.settle({ call: 1, isOk: true, text: '' }))).toMatchObject({ ok: false, reason: 'limit' })
  expect(engine.ranMs()).toBeGreaterThan(ranMs)
})

it('asks for what code fetches, and hands in answers and refusals', async () => {
  const requests: unknown[] = []
  const engine = await createTestEngine((call, request) => requests.push([call, JSON.parse(request)]))
  const body =
    'const a = fetch("a", {x: [1]}), b = fetch("b", null); try { await a } catch (e) { return [e.message, await b] }'
  expect(start(engine, jobOf(body))).toBe('waiting')
  expect(requests).toEqual([
    [1, ['a', { x: [1] }]],
    [2, ['b', null]],
  ])
  expect(read(engine.settle({ call: 1, isOk: false, text: 'no' }))).toBe('waiting')
  expect(read(engine.settle({ call: 2, isOk: true, text: 'yes' }))).toMatchObject({ value: ['no', 'yes'] })
})

/** A service, and what it tells after each message. */
async function startService() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const told: FromWorker[] = []
  port1.on('message', (message: FromWorker) => told.push(message))
  await serveJobs(port2, { wasm, memoryBytes })
  const hears = (message: object) =>
    expect.poll(() => told.at(-1), { timeout: 60_000 }).toMatchObject(message)
  await hears({ kind: 'ready' })
  return { tell: (message: ToWorker) => port1.postMessage(message), hears, told }
}

it('runs one job after the other', async () => {
  const { tell, hears } = await startService()
  tell({ kind: 'job', id: 1, job: jobOf('return 5', { isAsync: false }), limitMs })
  await hears({ kind: 'done', id: 1, result: '{"ok":true,"value":5,"assigned":[]}' })
  tell({ kind: 'job', id: 2, job: jobOf('setVariable("a", null)'), limitMs })
  await hears({ kind: 'done', id: 2, result: expect.stringContaining('[["a",null]]') })
})

it('makes itself new after a job that cannot be undone', async () => {
  const { tell, hears } = await startService()
  tell({ kind: 'job', id: 1, job: jobOf('globalThis.left = "x".repeat(3000000)'), limitMs })
  tell({ kind: 'job', id: 2, job: jobOf('return typeof left'), limitMs })
  await hears({ kind: 'done', id: 2, result: '{"ok":true,"value":"undefined","assigned":[]}' })
})

it('reports how many answers it has taken when it waits', async () => {
  const { tell, hears, told } = await startService()
  tell({ kind: 'job', id: 1, job: jobOf('await fetch("a"); return fetch("b")'), limitMs })
  await hears({ kind: 'waiting', id: 1, answers: 0 })
  tell({ kind: 'fetched', id: 1, answer: { call: 1, isOk: true, text: '' } })
  await hears({ kind: 'waiting', id: 1, answers: 1 })
  expect(told.filter(({ kind }) => kind === 'fetch')).toHaveLength(2)
  tell({ kind: 'fetched', id: 1, answer: { call: 2, isOk: true, text: 'x'.repeat(5_000_000) } })
  await hears({ kind: 'done', result: expect.stringContaining('The response is too long') })
})

it('takes no answer for another job', async () => {
  const { tell, hears } = await startService()
  tell({ kind: 'job', id: 1, job: jobOf('fetch("a"); return 1'), limitMs })
  await hears({ kind: 'done', id: 1 })
  tell({ kind: 'job', id: 2, job: jobOf('return fetch("a")'), limitMs })
  await hears({ kind: 'waiting', id: 2, answers: 0 })
  tell({ kind: 'fetched', id: 1, answer: { call: 1, isOk: true, text: 'late' } })
  tell({ kind: 'fetched', id: 2, answer: { call: 1, isOk: true, text: 'own' } })
  await hears({ kind: 'done', id: 2, result: expect.stringContaining('"own"') })
})

it('refuses a job that is no data, or too much of it', async () => {
  const { tell, hears } = await startService()
  const circle: unknown[] = []
  circle.push(circle)
  tell({ kind: 'job', id: 1, job: jobOf('return 1', { globals: [['a', circle]] }), limitMs })
  await hears({ kind: 'done', id: 1, result: expect.stringContaining('"thrown"') })
  tell({ kind: 'job', id: 2, job: jobOf('return 1', { globals: [['a', 'x'.repeat(5_000_000)]] }), limitMs })
  await hears({ kind: 'done', id: 2, result: expect.stringContaining('"limit"') })
})
