import { setTimeout as delay } from 'node:timers/promises'
import type {
  CodeJob,
  CompletionOutcome,
  OutgoingRequest,
  RequestOutcome,
  VendorOutcome,
} from '../../../engine/model/effect-payloads.ts'
import type { EffectAnswer } from '../../../engine/model/effects.ts'
import type { Turn } from '../../../engine/turn/turn.ts'
import type { TurnDependencies } from '../../dependencies.ts'
import type { Journal } from '../../turn/journal.ts'
import type { EffectExecutor, PerformedEffect } from '../effect-executor.ts'
import { modelMs } from '../models/chat-completion-client.ts'
import { TurnEffectExecutor } from '../turn-effect-executor.ts'
import type { TurnOwner } from '../turn-owner.ts'
import type { AskedOfWorld, MockAnswer, MockedCall, MockWorld } from './mock-world.ts'

/** Where a turn with mocks stands. */
interface MockingTerms {
  readonly turn: Turn
  readonly owner: TurnOwner
  readonly world: MockWorld
  readonly startedAt: number
  /** Is told what code sends, which is no effect of its own. */
  readonly journal: Journal | undefined
}

/**
 * Performs the effects of a turn by the rules of its mocks: nothing leaves the process but what a rule lets pass. Code still
 * runs, and published flows are still found, both with no way to the outside of their own.
 */
export class MockingExecutor implements EffectExecutor {
  readonly #terms: MockingTerms
  readonly #deps: TurnDependencies
  readonly #inside: TurnEffectExecutor
  #outside: TurnEffectExecutor | undefined
  #calls = 0
  /** Of the time that answers took on a clock that stands. */
  #spentMs = 0

  constructor(terms: MockingTerms, deps: TurnDependencies) {
    const { turn, owner, startedAt } = terms
    this.#terms = terms
    this.#deps = deps
    const fetch: Fetch = (request, signal) => this.#fetch(request, signal)
    this.#inside = new TurnEffectExecutor(turn, owner, withoutOutside(deps, fetch), startedAt)
  }

  /** Every kind of effect is named here: one that is added has to say what becomes of it without the world. */
  perform(effect: PerformedEffect): EffectAnswer | Promise<EffectAnswer> {
    const { ports } = this.#deps
    switch (effect.type) {
      case 'now':
        return this.#world.now ?? ports.now()
      case 'random':
        return this.#world.random() ?? ports.random()
      case 'id':
        return this.#world.createId() ?? ports.createId('value')
      case 'link':
        return this.#inside.findFlow(effect.flowId)
      case 'evaluate':
        return this.#inside.evaluate(effect.jobs.map((job: CodeJob) => fixCode(job, this.#world)))
      case 'request':
        return this.#call<RequestOutcome>(effect, {
          ask: () => this.#world.answerRequest(effect.request, this.#block),
          pass: (outside) => outside.request(effect.request),
          spent: (reason) => ({ kind: 'spent', reason }),
          late: { kind: 'timeout' },
          timeoutMs: effect.request.timeoutMs,
        })
      case 'callVendor':
        return this.#call<VendorOutcome>(effect, {
          ask: () => this.#world.answerVendor(effect.call, this.#block),
          pass: (outside) => outside.callVendor(effect.call),
          spent: (reason) => ({ kind: 'spent', reason }),
          late: { kind: 'timeout' },
          timeoutMs: effect.call.timeoutMs,
        })
      case 'complete':
        return this.#call<CompletionOutcome>(effect, {
          ask: () => this.#world.answerModel(effect.completion, this.#block),
          pass: (outside) => outside.complete(effect.completion),
          spent: (message) => ({ kind: 'failed', message }),
          late: { kind: 'failed', message: 'The model did not answer in time' },
          timeoutMs: modelMs,
        })
      case 'mail':
        this.#world.asked.push({ effect })
        return this.#world.answerMail()
      case 'signToken':
        return { kind: 'token', token: 'mock-token' }
    }
  }

  get #world(): MockWorld {
    return this.#terms.world
  }

  /** The block that asks. */
  get #block() {
    return this.#terms.turn.context.block
  }

  #call<Outcome extends CallOutcome>(
    effect: AskedOfWorld['effect'],
    { ask, pass, spent, ...terms }: CallTerms<Outcome>,
  ): Outcome | Promise<Outcome> {
    const { callsPerTurn } = this.#deps.limits
    if (this.#calls >= callsPerTurn) {
      return spent(`The turn has made all the outgoing calls that it may (${callsPerTurn})`)
    }
    this.#calls += 1
    const answer = ask()
    if (answer !== 'pass') return this.#answerInTime(effect, answer, terms)
    this.#world.pass(effect)
    return pass(this.#passing)
  }

  /** Performs what the code of the turn asks. */
  async #fetch(request: OutgoingRequest, signal: AbortSignal | undefined): Promise<RequestOutcome> {
    const effect = { type: 'request', request } as const
    const answer = this.#world.answerRequest(request, this.#block)
    const terms = { late: { kind: 'timeout' }, timeoutMs: request.timeoutMs } as const
    const isMocked = answer !== 'pass'
    const outcome = await (isMocked
      ? this.#answerInTime<RequestOutcome>(effect, answer, terms)
      : this.#passing.request(request, signal))
    this.#terms.journal?.fetched(effect, outcome, isMocked)
    return outcome
  }

  /** Performs what a rule lets pass, as if there were no rules. */
  get #passing(): TurnEffectExecutor {
    const { turn, owner, startedAt } = this.#terms
    this.#outside ??= new TurnEffectExecutor(turn, owner, this.#deps, startedAt)
    return this.#outside
  }

  #answerInTime<Outcome extends CallOutcome>(
    effect: AskedOfWorld['effect'],
    answer: MockAnswer<Outcome>,
    { late, timeoutMs }: Pick<CallTerms<Outcome>, 'late' | 'timeoutMs'>,
  ): Outcome | Promise<Outcome> {
    const { afterMs } = answer
    if (afterMs === undefined) return this.#answer(effect, answer)
    const mostMs = Math.max(0, Math.min(timeoutMs, this.#leftMs))
    const inTime = afterMs <= mostMs ? answer : { outcome: late }
    const goneMs = Math.min(afterMs, mostMs)
    const waitMs = this.#world.spend(goneMs)
    this.#spentMs += goneMs - waitMs
    if (waitMs === 0) return this.#answer(effect, inTime)
    const waited = delay(waitMs, undefined, { signal: this.#deps.closing }).catch(() => undefined)
    return waited.then(() => this.#answer(effect, inTime))
  }

  get #leftMs(): number {
    const { limits, ports } = this.#deps
    return limits.wholeTurnMs - (ports.elapsed() - this.#terms.startedAt) - this.#spentMs
  }

  #answer<Outcome extends CallOutcome>(
    effect: AskedOfWorld['effect'],
    { missed, outcome }: MockAnswer<Outcome>,
  ): Outcome {
    this.#world.asked.push({ effect, outcome, missed })
    if (missed !== undefined) {
      const description = `Dry run: ${missed} was not sent, and no mock fits it`
      this.#terms.turn.output.logUncharged({ status: 'info', description })
    }
    return outcome
  }
}

/** How a call is made. */
interface CallTerms<Outcome> {
  ask(): MockedCall<Outcome>
  pass(outside: TurnEffectExecutor): Promise<Outcome>
  /** Outcome of one call too many. */
  spent(reason: string): Outcome
  /** Outcome of an answer that takes too long. */
  readonly late: Outcome
  readonly timeoutMs: number
}

type Fetch = (request: OutgoingRequest, signal: AbortSignal | undefined) => Promise<RequestOutcome>

type CallOutcome = NonNullable<AskedOfWorld['outcome']>

const nothing = async (): Promise<never> => {
  throw new Error('a conversation with mocks reaches nothing outside')
}

/** The dependencies of a turn with every way out closed but for the requests that code sends. */
function withoutOutside(deps: TurnDependencies, fetch: Fetch): TurnDependencies {
  const none = () => undefined
  return {
    ...deps,
    previewHttp: 'on',
    http: { send: (request, options) => fetch(request, options?.signal), stream: nothing, close: nothing },
    mailer: { send: nothing, compose: nothing, close: nothing },
    credentials: { mailAccount: none, model: none, vendor: none, webhook: none, channel: none },
    files: undefined,
    // Operators count what goes out.
    metrics: { ...deps.metrics, requestDone: none },
  }
}

/** The job with the clock and the chance of a world, where those are fixed. Lines of the code keep their numbers. */
function fixCode(job: CodeJob, world: MockWorld): CodeJob {
  const { now } = world
  const clock = now === undefined ? '' : clockAt(now)
  const chance = world.hasFixedChance ? chanceFrom(world.random() ?? 0) : ''
  return clock + chance === '' ? job : { ...job, body: `${clock}${chance}${job.body}` }
}

const clockAt = (now: number) =>
  `globalThis.Date=new Proxy(Date,{construct:(t,a,n)=>Reflect.construct(t,a.length?a:[${now}],n),` +
  `apply:(t)=>new t(${now}).toString(),get:(t,k)=>k==='now'?()=>${now}:Reflect.get(t,k)});`

/** A run of numbers for the code alone, which begins with a number that was drawn for it. */
const chanceFrom = (first: number) =>
  `{let s=${Math.floor(first * 2 ** 32)};Math.random=()=>{s=s+0x9e3779b9|0;let b=Math.imul(s^s>>>16,0x21f0aaad);` +
  'b=Math.imul(b^b>>>15,0x735a2d97);return((b^b>>>15)>>>0)/2**32}}'
