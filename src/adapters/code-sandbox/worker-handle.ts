import type { Worker } from 'node:worker_threads'
import { startThread } from '../../lib/threads/start-thread.ts'
import type { SandboxFetch } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, CodeResult } from '../../ports/known-types.ts'
import {
  decodeRequest,
  decodeResult,
  type FetchAnswer,
  type FromWorker,
  type WorkerData,
} from './protocol.ts'
import { maxFetches } from './worker/prelude.ts'

/** One thread with a sandbox. It runs one task at a time. */
export interface WorkerHandle {
  run(task: Task): void
  /** Ends the thread and its task, which counts as having run for as long as it may. */
  end(result: CodeResult): void
}

export interface WorkerHandleOptions {
  readonly data: WorkerData
  /** Milliseconds of a job that fetches, waiting included. */
  readonly fetchLimitMs: number
  onReady(thread: WorkerHandle): void
  /** Its task is done: it can take another. */
  onIdle(thread: WorkerHandle): void
  onEnd(thread: WorkerHandle): void
}

/** Time beyond the limit inside, for the thread to report by itself that it is reached. */
const graceMs = 200

/** A thread of this process, with its watchdogs. */
export class WorkerThread implements WorkerHandle {
  readonly #options: WorkerHandleOptions
  readonly #worker: Worker
  readonly #runLimit = createWatchdog(() => this.end(tooLong))
  readonly #totalLimit = createWatchdog(() => this.end(waitedTooLong))
  #running: RunningTask | undefined
  #isWaiting = false
  #lastId = 0
  #hasEnded = false

  constructor(options: WorkerHandleOptions) {
    this.#options = options
    this.#worker = startThread('adapters/code-sandbox/worker/worker', {
      workerData: options.data,
      // Nothing of the service is to be found there.
      env: {},
      // Deep code then meets the limit of the sandbox before that of the thread.
      resourceLimits: { stackSizeMb: 4 },
    })
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', () => this.end(broken))
    this.#worker.on('exit', () => this.end(broken))
    // A listener would keep the process alive. While a task runs, the watchdog does that instead.
    this.#worker.unref()
  }

  run(task: Task): void {
    this.#lastId += 1
    this.#running = new RunningTask(this.#lastId, task)
    this.#isWaiting = false
    try {
      this.#worker.postMessage({ kind: 'job', id: this.#lastId, job: task.job, limitMs: task.limitMs })
    } catch {
      this.#release(notData)
      this.#options.onIdle(this)
      return
    }
    this.#runLimit.watch(task.limitMs + graceMs)
    if (task.job.mayFetch) this.#totalLimit.watch(this.#options.fetchLimitMs)
  }

  end(result: CodeResult): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    void this.#worker.terminate()
    this.#options.onEnd(this)
    this.#release({ ...result, ranMs: this.#running?.task.limitMs ?? 0 })
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ready') this.#options.onReady(this)
    else if (this.#running) this.#follow(this.#running, message)
  }

  #follow(running: RunningTask, message: Exclude<FromWorker, { kind: 'ready' }>): void {
    if (message.kind === 'fetch') {
      void running.fetch(message).then((answer) => this.#answer(running, answer))
    } else if (message.kind === 'waiting') {
      this.#isWaiting = running.isWaitingAfter(message.answers)
      if (this.#isWaiting) this.#runLimit.rest()
    } else {
      this.#release({ ...resultOf(message.result), ranMs: message.ranMs })
      this.#options.onIdle(this)
    }
  }

  #answer(running: RunningTask, answer: FetchAnswer): void {
    if (running !== this.#running) return
    running.countAnswer()
    if (this.#isWaiting) this.#runLimit.watch(running.task.limitMs + graceMs)
    this.#isWaiting = false
    this.#worker.postMessage({ kind: 'fetched', id: running.id, answer })
  }

  #release(result: CodeResult): void {
    this.#runLimit.rest()
    this.#totalLimit.rest()
    const released = this.#running
    this.#running = undefined
    released?.task.settle(result)
  }
}

const failed = (reason: 'thrown' | 'limit', message: string): CodeResult => ({ ok: false, reason, message })

const tooLong = failed('limit', 'The code runs longer than it may')
const waitedTooLong = failed('limit', 'The code waits longer than it may')
const broken = failed('limit', 'The code brought its sandbox down')
const notData = failed('thrown', 'The code was given a value that is no data')

/** Untrusted code may have written the message of its thread. */
function resultOf(text: string): CodeResult {
  try {
    return decodeResult(text)
  } catch {
    return broken
  }
}

/** A job, and the callback for its result. */
export interface Task {
  readonly job: CodeJob
  readonly fetch: SandboxFetch | undefined
  /** Milliseconds that it may run. */
  readonly limitMs: number
  settle(result: CodeResult): void
}

/** A task on a thread, with the requests that its code has made and the answers that it got. */
class RunningTask {
  readonly id: number
  readonly task: Task
  #requests = 0
  #answers = 0

  constructor(id: number, task: Task) {
    this.id = id
    this.task = task
  }

  /** Answers one `fetch`. The permission and the number of requests do not rest on the sandbox alone. */
  async fetch({ call, request }: FromWorker & { kind: 'fetch' }): Promise<FetchAnswer> {
    const { job, fetch } = this.task
    try {
      this.#requests += 1
      if (!fetch || !job.mayFetch || this.#requests > maxFetches)
        throw new Error('Nothing can be fetched here')
      return { call, isOk: true, text: String(await fetch(...decodeRequest(request))) }
    } catch (error) {
      return { call, isOk: false, text: error instanceof Error ? error.message : 'The request failed' }
    }
  }

  countAnswer(): void {
    this.#answers += 1
  }

  /** Whether the code waits, having taken so many answers; else it goes on with one that crossed its message. */
  isWaitingAfter(answers: number): boolean {
    return answers === this.#answers
  }
}

/** Calls back unless it is stopped in time. */
function createWatchdog(bark: () => void) {
  let timer: NodeJS.Timeout | undefined
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    rest,
    watch(ms: number) {
      rest()
      const own = setTimeout(() => {
        // The service may be what was late: the answers that have arrived meanwhile are read first.
        setImmediate(() => timer === own && bark())
      }, ms)
      timer = own
    },
  }
}
