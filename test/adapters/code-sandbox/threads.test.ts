import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type CodeSandboxOptions,
  createCodeSandbox,
} from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import { unavailable, WorkerPool } from '../../../src/adapters/code-sandbox/worker-pool.ts'
import type { CodeSandbox } from '../../../src/ports/code-sandbox-port.ts'
import type { CodeJob } from '../../../src/ports/known-types.ts'

const root = join(import.meta.dirname, '../../..')

const jobOf = (body: string): CodeJob => ({
  body,
  isAsync: true,
  globals: [],
  mayAssign: false,
  mayFetch: false,
})

function sandboxWith(options: CodeSandboxOptions): CodeSandbox {
  const sandbox = createCodeSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe('the threads', () => {
  it('run several jobs at the same time', async () => {
    const sandbox = sandboxWith({ threads: 2 })
    // The first job holds its thread until the second has run on another.
    let go = (_response: string): void => {}
    const response = new Promise<string>((resolve) => {
      go = resolve
    })
    const asking = { ...jobOf('return await fetch("https://a.example")'), mayFetch: true }
    const first = sandbox.run(asking, { fetch: () => response })
    expect(await sandbox.run(jobOf('return 2'))).toMatchObject({ value: 2 })
    go('yes')
    expect(await first).toMatchObject({ value: 'yes' })
  })

  it('are asked in order', async () => {
    const sandbox = sandboxWith({ threads: 1 })
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => sandbox.run(jobOf(`return ${i}`))))
    expect(results.map((result) => result.ok && result.value)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    )
  })

  it('refuse what would wait behind too many', async () => {
    const sandbox = sandboxWith({ threads: 1, queueLength: 2, limitMs: 300 })
    await sandbox.run(jobOf('return 1'))
    const running = sandbox.run(jobOf('for (;;);'))
    const waiting = [sandbox.run(jobOf('return 1')), sandbox.run(jobOf('return 2'))]
    expect(await sandbox.run(jobOf('return 3'))).toEqual({
      ok: false,
      reason: 'busy',
      message: 'Too much code waits to be run',
    })
    expect(await running).toMatchObject({ ok: false, reason: 'limit' })
    expect(await Promise.all(waiting)).toMatchObject([{ value: 1 }, { value: 2 }])
  })

  it('are not waited for without end', async () => {
    const sandbox = sandboxWith({ threads: 1, limitMs: 1500, maxWaitMs: 200, queueLength: 1 })
    // The thread may take longer than that to start.
    await expect.poll(() => sandbox.run(jobOf('return 1'))).toMatchObject({ value: 1 })
    const running = sandbox.run(jobOf('for (;;);'))
    expect(await sandbox.run(jobOf('return 2'))).toMatchObject({ ok: false, reason: 'busy' })
    // Its place in the queue is free again, and the wait is over once a job runs.
    const second = sandbox.run(jobOf('return 3'))
    expect(await second).toMatchObject({ ok: false, reason: 'busy' })
    expect(await running).toMatchObject({ ok: false, reason: 'limit' })
    // So may the one that takes its place.
    await expect.poll(() => sandbox.run(jobOf('return 3'))).toMatchObject({ value: 3 })
  })

  it('end with the sandbox, whatever they do', async () => {
    const sandbox = createCodeSandbox({ threads: 1, limitMs: 60_000 })
    await sandbox.run(jobOf('return 1'))
    const results = Promise.all([sandbox.run(jobOf('for (;;);')), sandbox.run(jobOf('return 2'))])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sandbox.close()
    expect(await results).toMatchObject([unavailable, unavailable])
    expect(await sandbox.run(jobOf('return 3'))).toEqual(unavailable)
  })

  it('take a job that waited for as long as any other', async () => {
    const sandbox = sandboxWith({ threads: 1, limitMs: 800, maxWaitMs: 1200 })
    await expect.poll(() => sandbox.run(jobOf('return 1'))).toMatchObject({ value: 1 })
    const results = await Promise.all([sandbox.run(jobOf('for (;;);')), sandbox.run(jobOf('for (;;);'))])
    expect(results).toMatchObject([{ reason: 'limit' }, { reason: 'limit' }])
  })

  it('count the time that a job runs, and not the time that it waits for others', async () => {
    const sandbox = sandboxWith({ threads: 1, limitMs: 800 })
    const jobs = ['for (;;);', 'for (;;);', 'return 1']
    const [first, second, third] = await Promise.all(jobs.map((body) => sandbox.run(jobOf(body))))
    expect(Math.min(first?.ranMs ?? 0, second?.ranMs ?? 0)).toBeGreaterThanOrEqual(800)
    expect(third).toMatchObject({ ok: true, ranMs: expect.any(Number) })
    expect(third?.ranMs).toBeLessThan(800)
  })

  it('count one that has to be ended as having run for as long as it may', async () => {
    const sandbox = sandboxWith({ threads: 1, limitMs: 100 })
    // One call of a built-in, which no limit interrupts, and which takes hours.
    const result = await sandbox.run(jobOf('"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")'))
    expect(result).toEqual({
      ok: false,
      reason: 'limit',
      message: 'The code runs longer than it may',
      ranMs: 100,
    })
  })

  it('let a job run for less than others when the job says so, and never for longer', async () => {
    const sandbox = sandboxWith({ threads: 1, limitMs: 400 })
    const run = (limitMs?: number) => sandbox.run(jobOf('for (;;);'), { limitMs })
    const [short, plain, long] = await Promise.all([run(100), run(), run(60_000)])
    // A thread that gets no time to say it is ended instead, and names no limit.
    const message = (limitMs: number) =>
      expect.stringMatching(new RegExp(`^The code runs longer than it may( \\(${limitMs} ms\\))?$`))
    expect([short, plain, long]).toMatchObject([
      { reason: 'limit', message: message(100) },
      { reason: 'limit', message: message(400) },
      { reason: 'limit', message: message(400) },
    ])
    expect(short.ranMs).toBeGreaterThanOrEqual(100)
  })

  it('are given up when they do not start', async () => {
    const data = { wasm: {} as WebAssembly.Module, memoryBytes: 2 ** 25 }
    const pool = new WorkerPool({
      data,
      threads: 2,
      limitMs: 1000,
      fetchLimitMs: 1000,
      share: { flow: 2, previews: 1 },
      queueLength: 5,
      shareOfQueue: 5,
      maxWaitMs: 60_000,
    })
    const results = await Promise.all([pool.run(jobOf('return 1')), pool.run(jobOf('return 2'))])
    expect(results).toEqual([unavailable, unavailable])
    pool.close()
  })

  it('are tried again by whoever asks whether they live, once none does', async () => {
    const data = { wasm: {} as WebAssembly.Module, memoryBytes: 2 ** 25 }
    const pool = new WorkerPool({
      data,
      threads: 2,
      limitMs: 1000,
      fetchLimitMs: 1000,
      share: { flow: 2, previews: 1 },
      queueLength: 5,
      shareOfQueue: 5,
      maxWaitMs: 60_000,
    })
    onTestFinished(() => pool.close())
    expect(pool.isAlive()).toBe(true)
    expect(await pool.run(jobOf('return 1'))).toEqual(unavailable)
    expect(pool.isAlive()).toBe(false)
    const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
    data.wasm = await WebAssembly.compile(await readFile(file))
    await expect.poll(() => pool.isAlive()).toBe(true)
    expect(await pool.run(jobOf('return 1'))).toMatchObject({ value: 1 })
  })

  it('are missed when they had to be ended, and only then', async () => {
    const metrics = { codeDone: vi.fn(), codeThreadLost: vi.fn() }
    const sandbox = createCodeSandbox({ threads: 1, fetchLimitMs: 100, metrics })
    await sandbox.run(jobOf('return 1'))
    await sandbox.run(jobOf('throw new Error("no")'))
    expect(metrics.codeThreadLost).not.toHaveBeenCalled()
    const asking = { ...jobOf('return await fetch("https://a.example")'), mayFetch: true }
    await sandbox.run(asking, { fetch: () => new Promise(() => {}) })
    expect(metrics.codeThreadLost).toHaveBeenCalledTimes(1)
    expect(sandbox.isAlive()).toBe(true)
    await sandbox.close()
    expect(metrics.codeThreadLost).toHaveBeenCalledTimes(1)
    expect(metrics.codeDone.mock.calls.flat()).toMatchObject([
      { ok: true, ranMs: expect.any(Number) },
      { reason: 'thrown' },
      { reason: 'limit' },
    ])
  })

  it('start after their engine could not be loaded, once a pause has passed', async () => {
    let now = 0
    let tries = 0
    const compileEngine = async () => {
      tries += 1
      if (tries < 3) throw new Error('EMFILE: too many open files')
      const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
      return WebAssembly.compile(await readFile(file))
    }
    const backoff = { firstPauseMs: 100, longestPauseMs: 150, elapsed: () => now }
    const sandbox = createCodeSandbox({ threads: 1, compileEngine, backoff })
    onTestFinished(() => sandbox.close())
    const run = () => sandbox.run(jobOf('return 1'))
    expect(await Promise.all([run(), run()])).toEqual([unavailable, unavailable])
    expect(sandbox.isAlive()).toBe(false)
    expect(tries).toBe(1)
    now = 100
    expect(await run()).toEqual(unavailable)
    now = 249
    expect(await run()).toEqual(unavailable)
    expect(tries).toBe(2)
    now = 250
    expect(sandbox.isAlive()).toBe(false)
    await expect.poll(() => sandbox.isAlive()).toBe(true)
    expect(await run()).toMatchObject({ value: 1 })
    expect(tries).toBe(3)
  })

  it('can be closed while their engine is loaded, and after it could not be', async () => {
    const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
    let finish: (wasm: WebAssembly.Module) => void = () => {}
    const compiled = new Promise<WebAssembly.Module>((resolve) => {
      finish = resolve
    })
    const sandbox = createCodeSandbox({ compileEngine: () => compiled })
    const result = sandbox.run(jobOf('return 1'))
    await sandbox.close()
    finish(await WebAssembly.compile(await readFile(file)))
    expect(await result).toEqual(unavailable)
    const broken = createCodeSandbox({ compileEngine: () => Promise.reject(new Error('EACCES')) })
    expect(await broken.run(jobOf('return 1'))).toEqual(unavailable)
    await broken.close()
  })

  it('can be closed before they were ever needed', async () => {
    const sandbox = createCodeSandbox()
    await sandbox.close()
    expect(await sandbox.run(jobOf('return 1'))).toMatchObject({ ok: false, reason: 'busy' })
  })
})

describe('a process', () => {
  const script = (last: string) => `
    import { createCodeSandbox } from './src/adapters/code-sandbox/code-sandbox.ts'
    const sandbox = createCodeSandbox()
    const job = { body: 'return 6 * 7', isAsync: false, globals: [], mayAssign: false, mayFetch: false }
    console.log(JSON.stringify(await sandbox.run(job)))
    ${last}`

  it.each(['', 'await sandbox.close()'])('ends by itself with an idle sandbox: %j', async (last) => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script(last)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 60_000 })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, value: 42, assigned: [] })
  })
})
