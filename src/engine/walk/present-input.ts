import type { Effects } from '../model/effects.ts'
import type { Step } from '../model/step.ts'
import { runHandler } from '../turn/run-handler.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'

/** Renders the waiting input with the present values, and nothing else of the flow. Ends within the budgets of a turn. */
export function* presentInput(turn: Turn): Effects<TurnOutput> {
  const block = turn.conversation.waitingBlock
  const { handler } = block ?? {}
  if (!block || handler?.kind !== 'input') return turn.output
  try {
    const step = yield* runHandler<Step>(turn, {
      block,
      run: () => handler.run(block.compiled, turn.contextOf(block)),
    })
    if (step?.input) turn.output.ask(step.input)
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}
