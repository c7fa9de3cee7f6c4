import type { MessagePort } from 'node:worker_threads'
import {
  encodeFailure,
  encodeJob,
  type FetchAnswer,
  type FromWorker,
  type ToWorker,
  type WorkerData,
} from '../protocol.ts'
import { createQuickJsEngine, type EngineStep, type QuickJsEngine } from './quickjs-engine.ts'

/** Longest job with its values, and longest text of one response: more would leave the code no memory. */
const maxInputLength = 4 * 2 ** 20

/** Runs the jobs that arrive on a port, one at a time, and posts their results to it. */
export async function serveJobs(port: MessagePort, { wasm, memoryBytes }: WorkerData): Promise<void> {
  /** The job that runs or waits; zero for none. */
  let current = 0
  let answers = 0
  const post = (message: FromWorker) => port.postMessage(message)
  const create = () =>
    createQuickJsEngine({
      wasm,
      memoryBytes,
      onFetch: (call, request) => post({ kind: 'fetch', id: current, call, request }),
    })
  let engine = await create()

  const next = (message: ToWorker): EngineStep => {
    if (message.kind === 'fetched') {
      answers += 1
      return engine.settle(shortened(message.answer))
    }
    current = message.id
    answers = 0
    return begin(engine, message)
  }

  const receive = async (message: ToWorker) => {
    // An answer that its job did not wait for.
    if (message.kind === 'fetched' && message.id !== current) return
    const step = next(message)
    if (step.kind === 'waiting') return post({ kind: 'waiting', id: current, answers })
    post({ kind: 'done', id: current, result: step.result, ranMs: engine.ranMs() })
    current = 0
    if (!engine.reset()) engine = await create()
  }

  let last = Promise.resolve()
  port.on('message', (message: ToWorker) => {
    last = last.then(() => receive(message))
  })
  post({ kind: 'ready' })
}

function begin(engine: QuickJsEngine, { job, limitMs }: ToWorker & { kind: 'job' }): EngineStep {
  let text: string
  try {
    text = encodeJob(job)
  } catch {
    return failed('thrown', 'The code was given a value that is no data')
  }
  if (text.length > maxInputLength) return failed('limit', 'The code was given more than it may hold')
  return engine.start(text, { isAsync: job.isAsync, limitMs })
}

const failed = (reason: 'thrown' | 'limit', message: string): EngineStep => ({
  kind: 'done',
  result: encodeFailure(reason, message),
})

function shortened(answer: FetchAnswer): FetchAnswer {
  if (answer.text.length <= maxInputLength) return answer
  return { ...answer, isOk: false, text: 'The response is too long' }
}
