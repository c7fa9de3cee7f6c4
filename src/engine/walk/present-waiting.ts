import type { Effect, Effects } from '../model/effects.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { Step } from '../model/step.ts'
import { inputOfPause } from '../turn/person-words.ts'
import { runHandler } from '../turn/run-handler.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'

/**
 * Renders what the conversation waits for with the present values, and nothing else of the flow: the input, the action
 * or the embed. Ends within the budgets of a turn.
 */
export function* presentWaiting(turn: Turn): Effects<TurnOutput> {
  const block = turn.conversation.waitingBlock
  if (turn.conversation.pause) turn.output.ask(inputOfPause)
  if (turn.conversation.pause || !block?.handler) return turn.output
  try {
    const run = runWaiting(turn, block)
    const step = block.handler.kind === 'input' ? yield* run : yield* withoutCalls(run)
    if (step?.next?.to === 'wait') show(turn, step)
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}

function runWaiting(turn: Turn, block: CompiledBlock): Effects<Step | undefined> {
  return runHandler<Step>(turn, {
    block,
    run: (compiled, context) => block.handler?.run(compiled, context) ?? {},
  })
}

/**
 * A block that handed its work to the client made no calls, and makes none to say so again. One that would has become
 * another one since, by an update of its flow: there is nothing to show then.
 */
function* withoutCalls(run: Effects<Step | undefined>): Effects<Step | undefined> {
  let turn = run.next()
  while (!turn.done) {
    if (isCall(turn.value)) {
      run.return(undefined)
      return undefined
    }
    turn = run.next(yield turn.value)
  }
  return turn.value
}

function isCall(effect: Effect): boolean {
  switch (effect.type) {
    case 'now':
    case 'random':
    case 'id':
    case 'yield':
      return false
    case 'evaluate':
      return effect.jobs.some(({ mayFetch }) => mayFetch)
    default:
      return true
  }
}

function show({ output }: Turn, { input, message, actions = [] }: Step): void {
  if (input) output.ask(input)
  if (message) output.show(message)
  for (const action of actions) output.act(action)
}
