import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { encodeFailure, type FetchAnswer, tooMuchMemory, type WorkerData } from '../protocol.ts'
import { createCpuClock } from './cpu-clock.ts'
import { createIntlHost } from './intl-host.ts'
import { loadQuickJs } from './load-quickjs.ts'
import { prelude } from './prelude.ts'

/** One QuickJS with a memory of its own. It runs one job at a time, and is as new before each. */
export interface QuickJsEngine {
  /** Runs a job until it ends or waits for a `fetch`. */
  start(job: string, terms: { readonly isAsync: boolean; readonly limitMs: number }): EngineStep
  /** Goes on with the job that waits. */
  settle(answer: FetchAnswer): EngineStep
  /** Milliseconds that the job has run. */
  ranMs(): number
  /** Makes everything as it was before the job. False when it can't: another engine is needed. */
  reset(): boolean
}

export type EngineStep = { readonly kind: 'done'; readonly result: string } | { readonly kind: 'waiting' }

export interface EngineOptions extends WorkerData {
  onFetch(call: number, request: string): void
}

/** Jobs of promises between two looks at the clock: a chain of native ones is not interrupted. */
const jobsAtOnce = 100

export async function createQuickJsEngine({
  wasm,
  memoryBytes,
  onFetch,
}: EngineOptions): Promise<QuickJsEngine> {
  const { runtime, context, isExhausted, remember } = await loadQuickJs(wasm, memoryBytes)
  const clock = createCpuClock()
  runtime.setInterruptHandler(clock.isSpent)
  let outstanding = 0
  let promise: QuickJSHandle | undefined
  let isBroken = false
  const functions = install(context, (call, request) => {
    outstanding += 1
    onFetch(call, request)
  })
  const restore = remember()

  const call = (name: keyof typeof functions, argument: QuickJSHandle) =>
    context.callFunction(functions[name], context.undefined, argument)

  const copyOut = (value: QuickJSHandle): EngineStep => {
    const copied = call('copy', value)
    return copied.error ? describe(copied.error) : textOf(copied.value)
  }

  const describe = (error: QuickJSHandle): EngineStep => {
    // It throws null when there is no memory left for an error.
    if (isExhausted() && context.eq(error, context.null)) return outOfMemory
    const described = call('describe', error)
    return described.error ? outOfMemory : textOf(described.value)
  }

  const textOf = (value: QuickJSHandle): EngineStep => {
    const result = context.getString(value)
    return result === '' ? outOfMemory : { kind: 'done', result }
  }

  const runJobs = (awaited: QuickJSHandle): EngineStep => {
    while (runtime.hasPendingJob() && !clock.isSpent()) {
      const { error } = runtime.executePendingJobs(jobsAtOnce)
      if (error) return describe(error)
      if (context.getPromiseState(awaited).type !== 'pending') break
    }
    const state = context.getPromiseState(awaited)
    if (state.type === 'fulfilled') return copyOut(state.value)
    if (state.type === 'rejected') return describe(state.error)
    return outstanding > 0 ? { kind: 'waiting' } : neverSettles
  }

  /** Any error here, including an overflow of the host's own stack, ends the job and the engine. */
  const guarded = (run: () => EngineStep): EngineStep => {
    let step: EngineStep
    try {
      step = clock.measure(run)
    } catch {
      step = tooDeep
      isBroken = true
    }
    if (!clock.isSpent()) return step
    isBroken = true
    return outOfTime(clock.limitMs)
  }

  return {
    start(job, { isAsync, limitMs }) {
      clock.limitMs = limitMs
      return guarded(() => {
        const started = call('start', context.newString(job))
        if (started.error) return describe(started.error)
        promise = started.value
        return isAsync ? runJobs(promise) : copyOut(promise)
      })
    },
    settle: (answer) =>
      guarded(() => {
        outstanding -= 1
        const { error } = call('settle', context.newString(JSON.stringify(answer)))
        return error ? describe(error) : runJobs(promise!)
      }),
    ranMs: clock.ranMs,
    reset() {
      if (isBroken || !restore()) return false
      outstanding = 0
      clock.reset()
      return true
    },
  }
}

const failed = (message: string): EngineStep => ({ kind: 'done', result: encodeFailure('limit', message) })

const outOfTime = (limitMs: number) => failed(`The code runs longer than it may (${limitMs} ms)`)
const outOfMemory = failed(tooMuchMemory)
const tooDeep = failed('The code is nested, or calls itself, too deeply')
const neverSettles = failed('The code waits for a promise that never settles')

/** Runs the prelude, and gives the functions that it hands out. */
function install(context: QuickJSContext, onFetch: EngineOptions['onFetch']) {
  const request = context.newFunction('request', (call, text) =>
    onFetch(context.getNumber(call!), context.getString(text!)),
  )
  // Its own would begin with the same number in each job.
  const random = context.newFunction('random', () => context.newNumber(Math.random()))
  const askIntl = createIntlHost()
  const intl = context.newFunction('intl', (text) => context.newString(askIntl(context.getString(text!))))
  const begin = context.unwrapResult(context.evalCode(prelude, 'prelude.js'))
  const functions = context.unwrapResult(
    context.callFunction(begin, context.undefined, request, random, intl),
  )
  const take = (name: string) => context.getProp(functions, name)
  return { start: take('start'), copy: take('copy'), describe: take('describe'), settle: take('settle') }
}
