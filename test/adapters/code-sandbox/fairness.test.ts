import { describe, expect, it, onTestFinished } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import type {
  Task,
  WorkerHandle,
  WorkerHandleOptions,
} from '../../../src/adapters/code-sandbox/worker-handle.ts'
import { WorkerPool, type WorkerPoolOptions } from '../../../src/adapters/code-sandbox/worker-pool.ts'
import type { CodeOwner, CodeSandbox } from '../../../src/ports/code-sandbox-port.ts'
import type { CodeJob } from '../../../src/ports/known-types.ts'

const jobOf = (body: string): CodeJob => ({
  body,
  isAsync: false,
  globals: [],
  mayAssign: false,
  mayFetch: false,
})

const flow = (id: string): CodeOwner => ({ kind: 'live', id })
const preview = (id: string): CodeOwner => ({ kind: 'preview', id })

const busy = { ok: false, reason: 'busy', message: 'Too much code waits to be run' }

/** A pool of threads that are ready at once, and that run a job until the test ends it. */
function createFakePool(options: Partial<WorkerPoolOptions> = {}) {
  const running: { task: Task; thread: WorkerHandle; onIdle(): void; onEnd(): void }[] = []
  let started = 0
  const start = ({ onReady, onIdle, onEnd }: WorkerHandleOptions): WorkerHandle => {
    started += 1
    const thread: WorkerHandle = {
      run: (task) =>
        void running.push({ task, thread, onIdle: () => onIdle(thread), onEnd: () => onEnd(thread) }),
      end: () => undefined,
    }
    queueMicrotask(() => onReady(thread))
    return thread
  }
  const pool = new WorkerPool({
    data: { wasm: {} as WebAssembly.Module, memoryBytes: 1 },
    threads: 1,
    limitMs: 1000,
    fetchLimitMs: 1000,
    share: { flow: 1, previews: 1 },
    queueLength: 100,
    shareOfQueue: 100,
    maxWaitMs: 60_000,
    start,
    ...options,
  })
  onTestFinished(() => pool.close())
  const bodies = () => running.map(({ task }) => task.job.body)
  return {
    /** Jobs that run, by their bodies. */
    bodies,
    started: () => started,
    run: (body: string, owner?: CodeOwner) => pool.run(jobOf(body), owner && { owner }),
    /** Ends a job that runs; its thread takes the next. */
    finish(body: string) {
      const [{ task, onIdle }] = running.splice(bodies().indexOf(body), 1) as [(typeof running)[number]]
      task.settle({ ok: true, value: body, assigned: [] })
      onIdle()
    },
    /** Ends a job with its thread. */
    breakDown(body: string) {
      const [{ task, onEnd }] = running.splice(bodies().indexOf(body), 1) as [(typeof running)[number]]
      onEnd()
      task.settle({ ok: false, reason: 'limit', message: 'broken' })
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

/** The order in which jobs run on one thread that come at once. */
async function orderOf(jobs: readonly (readonly [body: string, owner: CodeOwner | undefined])[]) {
  const pool = createFakePool()
  void pool.run('first')
  await pool.settle()
  for (const [body, owner] of jobs) void pool.run(body, owner)
  const order: string[] = []
  pool.finish('first')
  for (const _ of jobs) {
    const [body = 'nothing'] = pool.bodies()
    order.push(body)
    pool.finish(body)
  }
  return order
}

describe('those who wait for the sandbox', () => {
  it('take turns by published flow', async () => {
    const [a, b, c] = [flow('a'), flow('b'), flow('c')]
    const jobs = [
      ['a1', a],
      ['a2', a],
      ['a3', a],
      ['a4', a],
      ['b1', b],
      ['b2', b],
      ['c1', c],
    ] as const
    expect(await orderOf(jobs)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('take turns as one where they are previews, however many there are', async () => {
    const jobs = [
      ['p1', preview('p')],
      ['p2', preview('p')],
      ['q1', preview('q')],
      ['r1', preview('r')],
      ['a1', flow('a')],
      ['a2', flow('a')],
    ] as const
    expect(await orderOf(jobs)).toEqual(['p1', 'a1', 'q1', 'a2', 'r1', 'p2'])
  })

  it('are no others for having the name of a flow, or none', async () => {
    const jobs = [
      ['p1', preview('a')],
      ['p2', preview('a')],
      ['n1', undefined],
      ['a1', flow('a')],
    ] as const
    expect(await orderOf(jobs)).toEqual(['p1', 'n1', 'a1', 'p2'])
  })

  it('lose their turn with their wait', async () => {
    const pool = createFakePool({ maxWaitMs: 20 })
    void pool.run('first', flow('a'))
    await pool.settle()
    expect(await pool.run('a1', flow('a'))).toEqual(busy)
    void pool.run('b1', flow('b'))
    pool.finish('first')
    expect(pool.bodies()).toEqual(['b1'])
  })

  it.each([
    ['one published flow', flow('a'), flow('a')],
    ['previews', preview('p'), preview('q')],
  ])('may be so many of %s, and others still find room', async (_name, one, another) => {
    const pool = createFakePool({ shareOfQueue: 2, queueLength: 3 })
    void pool.run('first', flow('b'))
    await pool.settle()
    void pool.run('1', one)
    void pool.run('2', another)
    expect(await pool.run('3', another)).toEqual(busy)
    void pool.run('b1', flow('b'))
    expect(await pool.run('b2', flow('b'))).toEqual(busy)
    for (const body of ['first', '1', 'b1', '2']) pool.finish(body)
    expect(pool.bodies()).toEqual([])
  })
})

describe('the threads of the sandbox', () => {
  const two = { threads: 2, share: { flow: 2, previews: 1 } }

  it('are never all held by previews', async () => {
    const pool = createFakePool(two)
    for (const id of ['p', 'q', 'r']) void pool.run(id, preview(id))
    await pool.settle()
    expect(pool.bodies()).toEqual(['p'])
    void pool.run('a', flow('a'))
    await pool.settle()
    expect(pool.bodies()).toEqual(['p', 'a'])
    pool.finish('a')
    expect(pool.bodies()).toEqual(['p'])
    pool.finish('p')
    expect(pool.bodies()).toEqual(['q'])
  })

  it('are all for a published flow when nobody else wants one', async () => {
    const pool = createFakePool(two)
    for (const body of ['1', '2', '3']) void pool.run(body, flow('a'))
    await pool.settle()
    expect(pool.bodies()).toEqual(['1', '2'])
  })

  it('are not started for those who may have no more', async () => {
    const pool = createFakePool(two)
    void pool.run('p', preview('p'))
    await pool.settle()
    void pool.run('q', preview('q'))
    await pool.settle()
    expect(pool.started()).toBe(1)
  })

  it('are free for others again when one breaks down', async () => {
    const pool = createFakePool(two)
    for (const body of ['a', 'b']) void pool.run(body, flow('a'))
    await pool.settle()
    pool.finish('a')
    void pool.run('p', preview('p'))
    void pool.run('q', preview('q'))
    pool.finish('b')
    expect(pool.bodies()).toEqual(['p'])
    pool.breakDown('p')
    expect(pool.bodies()).toEqual(['q'])
  })
})

describe('real threads', () => {
  function sandboxWith(threads: number): CodeSandbox {
    const sandbox = createCodeSandbox({ threads, limitMs: 400 })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  /** The order in which endless loops and a harmless job, which comes last, are over. */
  async function runBeside(sandbox: CodeSandbox, loopers: readonly CodeOwner[]) {
    await sandbox.run(jobOf('return 1'))
    const order: string[] = []
    const looping = loopers.map((owner) =>
      sandbox.run(jobOf('for (;;);'), { owner }).then(() => order.push('loop')),
    )
    const result = await sandbox.run(jobOf('return 2'), { owner: flow('shop') })
    order.push('shop')
    await Promise.all(looping)
    return { result, place: order.indexOf('shop') }
  }

  it('serve other flows while one loops for ever in ten places', async () => {
    const { result, place } = await runBeside(sandboxWith(1), Array(10).fill(flow('loops')))
    expect(result).toMatchObject({ ok: true, value: 2 })
    expect(place).toBeLessThanOrEqual(2)
  })

  it('serve flows while ten previews loop for ever', async () => {
    const loopers = Array.from({ length: 10 }, (_, nth) => preview(`p${nth}`))
    const { result, place } = await runBeside(sandboxWith(2), loopers)
    expect(result).toMatchObject({ ok: true, value: 2 })
    expect(place).toBeLessThanOrEqual(2)
  })
})
