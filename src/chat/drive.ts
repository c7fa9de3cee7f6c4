import type { Effect, EffectAnswer, Effects, LinkAnswer } from '../engine/effects.ts'
import type { Ports } from '../ports.ts'

/** How long a turn may keep everybody else waiting, in milliseconds. */
const sliceMs = 1

/** What a turn may reach. */
export interface World {
  readonly ports: Ports
  /** Engine time of a turn, outgoing calls excluded, in milliseconds. */
  readonly turnMs: number
  findFlow(flowId: string): Promise<LinkAnswer>
  /** Called whenever the turn goes on after others could run. */
  breathed?(): void
}

/**
 * Runs a turn to its end, performing the effects that it asks for. A turn that asks for none is run in one go,
 * without waiting for anything.
 */
export async function drive<Result>(effects: Effects<Result>, world: World): Promise<Result> {
  const perform = performer(world)
  let turn = effects.next()
  while (!turn.done) {
    const answer = perform(turn.value)
    turn = effects.next(answer instanceof Promise ? await answer : answer)
  }
  return turn.value
}

type Performed = EffectAnswer | Promise<EffectAnswer>

function performer(world: World): (effect: Effect) => Performed {
  const { ports, turnMs, findFlow } = world
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
        return whileOthersRun(findFlow(effect.flowId))
      case 'breathe': {
        const sliceUsedMs = ports.elapsed() - runningSince
        if (usedMs + sliceUsedMs > turnMs) return false
        return sliceUsedMs < sliceMs || whileOthersRun(ports.nextTurn().then(() => true))
      }
    }
  }
}
