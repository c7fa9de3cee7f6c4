import type { Effect, EffectAnswer, Effects, LinkAnswer } from '../../engine/model/effects.ts'
import { tooManyHeavy } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { ExternalEffects } from '../effects/external-effects.ts'
import { sliceMs } from './give-way.ts'

/** What a turn may reach. */
export interface EffectExecutor extends ExternalEffects {
  readonly ports: Ports
  /** Engine time of a turn, outgoing calls excluded, in milliseconds. */
  readonly turnMs: number
  findFlow(flowId: string): Promise<LinkAnswer>
  /** Called whenever the turn goes on after others could run. */
  onResumed?(): void
  /** Whether the turn may go on though it takes longer than a slice; asked once, and without it every turn may. */
  admitHeavy?(): boolean
}

type Performed = EffectAnswer | Promise<EffectAnswer>

/**
 * Performs what one turn asks of the world, and measures how long the turn itself takes: all that it runs shares the
 * turn's budget of time.
 */
export class EffectRunner {
  readonly #world: EffectExecutor
  /** Whether the turn asked for more than a chance for others: what it comes to may be different each time. */
  hasAsked = false
  #isAdmitted = false
  #usedMs = 0
  #runningSince: number

  constructor(world: EffectExecutor) {
    this.#world = world
    this.#runningSince = world.ports.elapsed()
  }

  /** Engine time since the driver was made, waiting for others left out, in milliseconds. */
  get usedMs(): number {
    return this.#usedMs + this.#world.ports.elapsed() - this.#runningSince
  }

  /** Runs to the end; in one go, and not as a promise, as long as nothing has to be waited for. */
  run<Result>(effects: Effects<Result>): Result | Promise<Result> {
    return this.#goOn(effects, effects.next())
  }

  #goOn<Result>(effects: Effects<Result>, step: IteratorResult<Effect, Result>): Result | Promise<Result> {
    let turn = step
    while (!turn.done) {
      const answer = this.#perform(turn.value)
      if (answer instanceof Promise) return answer.then((told) => this.#goOn(effects, effects.next(told)))
      turn = effects.next(answer)
    }
    return turn.value
  }

  #perform(effect: Effect): Performed {
    const world = this.#world
    if (effect.type !== 'yield') this.hasAsked = true
    switch (effect.type) {
      case 'now':
        return world.ports.now()
      case 'random':
        return world.ports.random()
      case 'id':
        return world.ports.createId('value')
      case 'link':
        return this.#whileOthersRun(world.findFlow(effect.flowId))
      case 'evaluate':
        return this.#whileOthersRun(world.evaluate(effect.job))
      case 'request':
        return this.#whileOthersRun(world.request(effect.request))
      case 'mail':
        return this.#whileOthersRun(world.mail(effect.mail))
      case 'complete':
        return this.#whileOthersRun(world.complete(effect.completion))
      case 'yield': {
        const sliceUsedMs = world.ports.elapsed() - this.#runningSince
        if (this.#usedMs + sliceUsedMs > world.turnMs) return false
        return sliceUsedMs < sliceMs || this.#waitForSlice()
      }
    }
  }

  /** A turn that has asked for anything may have changed something outside, and is not given up. */
  #waitForSlice(): Promise<boolean> {
    const world = this.#world
    if (!this.#isAdmitted && !this.hasAsked && world.admitHeavy?.() === false) throw tooManyHeavy()
    this.#isAdmitted = true
    return this.#whileOthersRun(world.ports.nextTurn().then(() => true))
  }

  /** Time spent waiting for others is not the turn's. */
  async #whileOthersRun<Answer>(wait: Promise<Answer>): Promise<Answer> {
    this.#usedMs += this.#world.ports.elapsed() - this.#runningSince
    const answer = await wait
    this.#runningSince = this.#world.ports.elapsed()
    this.#world.onResumed?.()
    return answer
  }
}
