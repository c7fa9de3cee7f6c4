import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { encodeFailure, type FetchAnswer, tooMuchMemory, type WorkerData } from '../protocol.ts'
import { createIntlHost } from './intl-host.ts'
import { loadQuickJs, type QuickJs } from './load-quickjs.ts'
import { prelude } from './prelude.ts'

export type EngineStep = { readonly kind: 'done'; readonly result: string } | { readonly kind: 'waiting' }

interface EngineOptions extends WorkerData {
  onFetch(call: number, request: string): void
}

/** Jobs of promises between two looks at the clock: a chain of native ones is not interrupted. */
const jobsAtOnce = 100

export async function createQuickJsEngine(options: EngineOptions): Promise<QuickJsEngine> {
  return new QuickJsEngine(await loadQuickJs(options.wasm, options.memoryBytes), options.onFetch)
}

/** One QuickJS with a memory of its own. It runs one job at a time, and is as new before each. */
export class QuickJsEngine {
  readonly #quickJs: QuickJs
  readonly #clock = new CpuClock()
  readonly #functions: ReturnType<typeof install>
  readonly #restore: () => boolean
  /** Calls of `fetch` without an answer. */
  #outstanding = 0
  #promise: QuickJSHandle | undefined
  #isBroken = false

  constructor(quickJs: QuickJs, onFetch: EngineOptions['onFetch']) {
    this.#quickJs = quickJs
    quickJs.runtime.setInterruptHandler(this.#clock.isSpent)
    this.#functions = install(quickJs.context, (call, request) => {
      this.#outstanding += 1
      onFetch(call, request)
    })
    this.#restore = quickJs.remember()
  }

  /** Runs a job until it ends or waits for a `fetch`. */
  start(
    job: string,
    { isAsync, limitMs }: { readonly isAsync: boolean; readonly limitMs: number },
  ): EngineStep {
    this.#clock.limitMs = limitMs
    return this.#guard(() => {
      const started = this.#call('start', this.#quickJs.context.newString(job))
      if (started.error) return this.#describe(started.error)
      this.#promise = started.value
      return isAsync ? this.#runJobs(started.value) : this.#copyOut(started.value)
    })
  }

  /** Goes on with the job that waits. */
  settle(answer: FetchAnswer): EngineStep {
    return this.#guard(() => {
      this.#outstanding -= 1
      const { error } = this.#call('settle', this.#quickJs.context.newString(JSON.stringify(answer)))
      return error ? this.#describe(error) : this.#runJobs(this.#promise!)
    })
  }

  /** Milliseconds that the job has run. */
  ranMs(): number {
    return this.#clock.ranMs()
  }

  /** Brings back the state before the job. False when it can't: another engine is needed. */
  reset(): boolean {
    if (this.#isBroken || !this.#restore()) return false
    this.#outstanding = 0
    this.#clock.reset()
    return true
  }

  /** Any error here, including an overflow of the host's own stack, ends the job and the engine. */
  #guard(run: () => EngineStep): EngineStep {
    let step: EngineStep
    try {
      step = this.#clock.measure(run)
    } catch {
      step = tooDeep
      this.#isBroken = true
    }
    if (!this.#clock.isSpent()) return step
    this.#isBroken = true
    return outOfTime(this.#clock.limitMs)
  }

  #runJobs(awaited: QuickJSHandle): EngineStep {
    const { runtime, context } = this.#quickJs
    while (runtime.hasPendingJob() && !this.#clock.isSpent()) {
      const { error } = runtime.executePendingJobs(jobsAtOnce)
      if (error) return this.#describe(error)
      if (context.getPromiseState(awaited).type !== 'pending') break
    }
    const state = context.getPromiseState(awaited)
    if (state.type === 'fulfilled') return this.#copyOut(state.value)
    if (state.type === 'rejected') return this.#describe(state.error)
    return this.#outstanding > 0 ? { kind: 'waiting' } : neverSettles
  }

  #copyOut(value: QuickJSHandle): EngineStep {
    const copied = this.#call('copy', value)
    return copied.error ? this.#describe(copied.error) : this.#textOf(copied.value)
  }

  #describe(error: QuickJSHandle): EngineStep {
    const { context, isExhausted } = this.#quickJs
    // It throws null when there is no memory left for an error.
    if (isExhausted() && context.eq(error, context.null)) return outOfMemory
    const described = this.#call('describe', error)
    return described.error ? outOfMemory : this.#textOf(described.value)
  }

  #textOf(value: QuickJSHandle): EngineStep {
    const result = this.#quickJs.context.getString(value)
    return result === '' ? outOfMemory : { kind: 'done', result }
  }

  #call(name: keyof ReturnType<typeof install>, argument: QuickJSHandle) {
    const { context } = this.#quickJs
    return context.callFunction(this.#functions[name], context.undefined, argument)
  }
}

const failed = (message: string): EngineStep => ({ kind: 'done', result: encodeFailure('limit', message) })

const outOfTime = (limitMs: number) => failed(`The code runs longer than it may (${limitMs} ms)`)
const outOfMemory = failed(tooMuchMemory)
const tooDeep = failed('The code is nested, or calls itself, too deeply')
const neverSettles = failed('The code waits for a promise that never settles')

/** Runs the prelude, and returns the functions that it hands out. */
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

/** Counts the time that code runs, and not the time that it waits. */
class CpuClock {
  /** Milliseconds that the code may run. */
  limitMs = 0
  #used = 0
  #since: number | undefined

  ranMs(): number {
    return this.#used + (this.#since === undefined ? 0 : performance.now() - this.#since)
  }

  isSpent = (): boolean => this.ranMs() > this.limitMs

  measure<T>(run: () => T): T {
    this.#since = performance.now()
    try {
      return run()
    } finally {
      this.#used = this.ranMs()
      this.#since = undefined
    }
  }

  reset(): void {
    this.#used = 0
  }
}
