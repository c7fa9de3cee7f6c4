import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { CodeTerms } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, StoreUsage } from '../../ports/known-types.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import type { WorkerData } from './protocol.ts'
import { unavailable, WorkerPool } from './worker-pool.ts'

export interface CodeSandboxOptions {
  /** Time that one evaluation may run, without what it waits for. */
  readonly limitMs?: number
  /** Memory for one evaluation. */
  readonly memoryBytes?: number
  /** Time that code which fetches may take, with what it waits for. */
  readonly fetchLimitMs?: number
  /** Evaluations that run at the same time. */
  readonly threads?: number
  /** Evaluations that may wait for a thread. */
  readonly queueLength?: number
  /** Waiting evaluations of one published flow, or of previews. */
  readonly shareOfQueue?: number
  /** Longest wait of one evaluation, in milliseconds. */
  readonly maxWaitMs?: number
  readonly metrics?: Pick<Metrics, 'codeDone' | 'codeThreadLost'>
  /** Pauses between attempts to load the engine after a failure. */
  readonly backoff?: BackoffOptions
  /** Tests put another engine in place, or none. */
  readonly compileEngine?: typeof compile
}

/** Code that fetches mostly waits. It has threads of its own, so that other code never waits for its requests. */
const fetchingThreads = 4

const computingThreads = 2

/** Bounds of one piece of code, unless others are given: milliseconds and bytes. */
export const usualCodeLimits = Object.freeze({ limitMs: 1_000, memoryBytes: 32 * 2 ** 20 })

/** Memory of the code in all threads together, by these bounds. */
export const maxCodeBytes = (computingThreads + fetchingThreads) * usualCodeLimits.memoryBytes

/**
 * Runs code of flows in QuickJS, in WebAssembly, in threads of its own (docs/sandbox.md). Nothing is started before
 * the first job.
 */
export function createCodeSandbox(options: CodeSandboxOptions = {}) {
  const { metrics, memoryBytes = usualCodeLimits.memoryBytes, compileEngine = compile } = options
  let opened: readonly WorkerPool[] = []
  let isClosed = false

  const open = async () => {
    const pools = createPools({ wasm: await compileEngine(), memoryBytes }, options)
    opened = Object.values(pools)
    if (isClosed) for (const pool of opened) pool.close()
    return pools
  }

  const pools = openWithBackoff(open, options.backoff)

  async function run(job: CodeJob, terms: CodeTerms | undefined) {
    if (isClosed) return unavailable
    try {
      const { computing, fetching } = await pools.get()
      return await (job.mayFetch ? fetching : computing).run(job, terms)
    } catch {
      return unavailable
    }
  }

  return {
    async run(job: CodeJob, terms?: CodeTerms) {
      const result = await run(job, terms)
      metrics?.codeDone(result)
      return result
    },
    /**
     * Whether code can be run, as far as is known: false once the engine could not be loaded, or threads ended and none
     * could be started instead. Tries again, where a try is due.
     */
    isAlive() {
      // No job is accepted after closing: it would load the module again.
      if (pools.hasFailed() && !isClosed) pools.get().catch(() => {})
      return !pools.hasFailed() && opened.every((pool) => pool.isAlive())
    },
    /** Its threads, each with the memory that code in it may take. */
    usage(): StoreUsage {
      const entries = opened.reduce((sum, pool) => sum + pool.threadCount, 0)
      return { entries, bytes: entries * memoryBytes, evicted: 0 }
    },
    async close() {
      isClosed = true
      for (const pool of opened) pool.close()
    },
  }
}

function createPools(data: WorkerData, options: CodeSandboxOptions) {
  const {
    limitMs,
    fetchLimitMs = 20_000,
    threads = computingThreads,
    metrics,
  } = { ...usualCodeLimits, ...options }
  const { queueLength = 512, shareOfQueue = 256, maxWaitMs = 10_000 } = options
  const onLoss = () => metrics?.codeThreadLost()
  const common = { data, limitMs, fetchLimitMs, queueLength, shareOfQueue, maxWaitMs, onLoss }
  return {
    computing: new WorkerPool({
      ...common,
      threads,
      share: { flow: threads, previews: allButOne(threads) },
    }),
    // Code that waits for a slow response holds a thread for seconds.
    fetching: new WorkerPool({
      ...common,
      threads: fetchingThreads,
      share: { flow: allButOne(fetchingThreads), previews: allButOne(fetchingThreads) },
    }),
  }
}

const allButOne = (threads: number) => Math.max(1, threads - 1)

async function compile(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return WebAssembly.compile(await readFile(file))
}

interface BackoffOptions {
  /** Milliseconds after the first failure in which nothing is tried. It doubles with each further one. */
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** Milliseconds on a clock that is never set back. */
  readonly elapsed?: () => number
}

/** Opens something once, at its first use. A failure is not kept: a call after a pause tries again. */
function openWithBackoff<T>(open: () => Promise<T>, options: BackoffOptions = {}) {
  const { firstPauseMs = 100, longestPauseMs = 30_000, elapsed = () => performance.now() } = options
  let opened: Promise<T> | undefined
  let failure: { readonly error: unknown; readonly pauseMs: number; readonly until: number } | undefined

  const start = async () => {
    try {
      const value = await open()
      failure = undefined
      return value
    } catch (error) {
      opened = undefined
      const pauseMs = failure ? Math.min(2 * failure.pauseMs, longestPauseMs) : firstPauseMs
      failure = { error, pauseMs, until: elapsed() + pauseMs }
      throw error
    }
  }

  return {
    /** Opens it, or resolves with what is open. Rejects at once while a failure is too recent to try again. */
    get(): Promise<T> {
      if (!opened && failure && elapsed() < failure.until) return Promise.reject(failure.error)
      opened ??= start()
      return opened
    },
    hasFailed: () => failure !== undefined,
  }
}
