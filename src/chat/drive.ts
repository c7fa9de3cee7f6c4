import type { Effect, EffectAnswer, Effects, LinkAnswer } from '../engine/effects.ts'
import type { Ports } from '../ports.ts'
import type { Outside } from './outside.ts'

/** How long a turn may keep everybody else waiting, in milliseconds. */
const sliceMs = 1

/** What a turn may reach. */
export interface World extends Outside {
  readonly ports: Ports
  /** Engine time of a turn, outgoing calls excluded, in milliseconds. */
  readonly turnMs: number
  findFlow(flowId: string): Promise<LinkAnswer>
  /** Called whenever the turn goes on after others could run. */
  breathed?(): void
}

/** Performs what a turn asks of the world, and measures how long the turn itself takes. */
export type Driver = <Result>(effects: Effects<Result>) => Promise<Result>

/**
 * Makes a driver for one turn, whose budget of time all that it drives shares. What asks for no effects is run in
 * one go, without waiting for anything.
 */
export function createDriver(world: World): Driver {
  const perform = performer(world)
  return async (effects) => {
    let turn = effects.next()
    while (!turn.done) {
      const answer = perform(turn.value)
      turn = effects.next(answer instanceof Promise ? await answer : answer)
    }
    return turn.value
  }
}

type Performed = EffectAnswer | Promise<EffectAnswer>

function performer(world: World): (effect: Effect) => Performed {
  const { ports, turnMs } = world
  let usedMs = 0
  let runningSince = ports.elapsed()
  /** Time spent waiting for others is not the turn's. */
  const whileOthersRun = async <Answer>(wait: Promise<Answer>): Promise<Answer> => {
    usedMs += ports.elapsed() - runningSince
    const answer = await wait
    runningSince = ports.elapsed()
    world.breathed?.()
    return answer
  }
  return (effect) => {
    switch (effect.type) {
      case 'now':
        return ports.now()
      case 'random':
        return ports.random()
      case 'id':
        return ports.createId('value')
      case 'link':
        return whileOthersRun(world.findFlow(effect.flowId))
      case 'evaluate':
        return whileOthersRun(world.evaluate(effect.job))
      case 'request':
        return whileOthersRun(world.request(effect.request))
      case 'mail':
        return whileOthersRun(world.mail(effect.mail))
      case 'complete':
        return whileOthersRun(world.complete(effect.completion))
      case 'breathe': {
        const sliceUsedMs = ports.elapsed() - runningSince
        if (usedMs + sliceUsedMs > turnMs) return false
        return sliceUsedMs < sliceMs || whileOthersRun(ports.nextTurn().then(() => true))
      }
    }
  }
}
