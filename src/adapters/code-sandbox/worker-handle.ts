import type { SandboxFetch } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, CodeResult } from '../../ports/known-types.ts'
import { startThread } from '../../start-thread.ts'
import {
  decodeRequest,
  decodeResult,
  type FetchAnswer,
  type FromWorker,
  type WorkerData,
} from './protocol.ts'
import { createWatchdog } from './watchdog.ts'
import { maxFetches } from './worker/prelude.ts'

/** A job, and the callback for its result. */
export interface Task {
  readonly job: CodeJob
  readonly fetch: SandboxFetch | undefined
  /** Milliseconds that it may run. */
  readonly limitMs: number
  settle(result: CodeResult): void
}

/** One thread with a sandbox, and its watchdog. It runs one task at a time. */
export interface WorkerHandle {
  run(task: Task): void
  /** Ends the thread, and with it what it runs, which counts as having run for as long as it may. */
  end(result: CodeResult): void
}

export interface WorkerHandleOptions {
  readonly data: WorkerData
  /** For a job that fetches: all of it, with what it waits for. */
  readonly fetchLimitMs: number
  onReady(thread: WorkerHandle): void
  /** Its task is done: it can take another. */
  onIdle(thread: WorkerHandle): void
  onEnd(thread: WorkerHandle): void
}

/** A task that runs, and what was asked of the service and answered on its behalf. */
interface Running {
  readonly id: number
  readonly task: Task
  fetches: number
  answers: number
  isWaiting: boolean
}

/** What a thread may take beyond the limit inside, to say itself that it is reached. */
const graceMs = 200

export function createWorkerHandle({
  data,
  fetchLimitMs,
  onReady,
  onIdle,
  onEnd,
}: WorkerHandleOptions): WorkerHandle {
  const worker = startThread('adapters/code-sandbox/worker/worker', {
    workerData: data,
    // Nothing of the service is to be found there.
    env: {},
    // Deep code then meets the limit of the sandbox before that of the thread.
    resourceLimits: { stackSizeMb: 4 },
  })
  const atWork = createWatchdog(() => thread.end(tooLong))
  const altogether = createWatchdog(() => thread.end(waitedTooLong))
  let running: Running | undefined
  let lastId = 0
  let hasEnded = false

  const release = (result: CodeResult) => {
    atWork.rest()
    altogether.rest()
    const released = running
    running = undefined
    released?.task.settle(result)
  }

  const answer = (asked: Running, given: FetchAnswer) => {
    if (asked !== running) return
    asked.answers += 1
    if (asked.isWaiting) atWork.watch(asked.task.limitMs + graceMs)
    asked.isWaiting = false
    worker.postMessage({ kind: 'fetched', id: asked.id, answer: given })
  }

  const receive = (message: FromWorker) => {
    if (message.kind === 'ready') return onReady(thread)
    if (!running) return
    if (message.kind === 'fetch') return void serve(running, message).then(answer.bind(undefined, running))
    if (message.kind === 'waiting') {
      // Else it goes on with an answer that crossed this on its way.
      running.isWaiting = message.answers === running.answers
      if (running.isWaiting) atWork.rest()
      return
    }
    release({ ...resultOf(message.result), ranMs: message.ranMs })
    onIdle(thread)
  }

  const thread: WorkerHandle = {
    run(task) {
      lastId += 1
      running = { id: lastId, task, fetches: 0, answers: 0, isWaiting: false }
      try {
        worker.postMessage({ kind: 'job', id: lastId, job: task.job, limitMs: task.limitMs })
      } catch {
        release(notData)
        return onIdle(thread)
      }
      atWork.watch(task.limitMs + graceMs)
      if (task.job.mayFetch) altogether.watch(fetchLimitMs)
    },
    end(result) {
      if (hasEnded) return
      hasEnded = true
      void worker.terminate()
      onEnd(thread)
      release({ ...result, ranMs: running?.task.limitMs ?? 0 })
    },
  }
  worker.on('message', receive)
  worker.on('error', () => thread.end(broken))
  worker.on('exit', () => thread.end(broken))
  // A listener would keep the process alive. While a task runs, the watchdog does that instead.
  worker.unref()
  return thread
}

const failed = (reason: 'thrown' | 'limit', message: string): CodeResult => ({ ok: false, reason, message })

const tooLong = failed('limit', 'The code runs longer than it may')
const waitedTooLong = failed('limit', 'The code waits longer than it may')
const broken = failed('limit', 'The code brought its sandbox down')
const notData = failed('thrown', 'The code was given a value that is no data')

/** What comes from where strangers' code runs is read with care. */
function resultOf(text: string): CodeResult {
  try {
    return decodeResult(text)
  } catch {
    return broken
  }
}

/** Answers one `fetch`. What may be fetched, and how often, does not rest on the sandbox alone. */
async function serve(
  running: Running,
  { call, request }: FromWorker & { kind: 'fetch' },
): Promise<FetchAnswer> {
  const { job, fetch } = running.task
  try {
    running.fetches += 1
    if (!fetch || !job.mayFetch || running.fetches > maxFetches)
      throw new Error('Nothing can be fetched here')
    return { call, isOk: true, text: String(await fetch(...decodeRequest(request))) }
  } catch (error) {
    return { call, isOk: false, text: error instanceof Error ? error.message : 'The request failed' }
  }
}
