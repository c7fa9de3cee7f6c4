import type { CompileContext, RunContext } from '../engine/model/block-handler.ts'
import type { Effects } from '../engine/model/effects.ts'
import { visibleError } from '../engine/model/log-entry.ts'
import type { Step } from '../engine/model/step.ts'

/** An action that this server does not know leaves a log, and the walk goes on. */
export function skipUnavailable(action: string): Step {
  return {
    logs: [visibleError({ description: `${action} is not available on this server` })],
  }
}

/** Reports that a block will be skipped. */
export function reportNotAvailable(action: string, context: CompileContext): void {
  const hint = `${action} is not available on this server: the block is passed over with a log.`
  context.report({ code: 'not-available', severity: 'warning', at: '', hint })
}

/** Has the client ask for the answer on the stream of messages, and send it back as its reply. */
export const waitForStream: Step = {
  actions: [{ type: 'stream', stream: true, expectsDedicatedReply: true }],
  next: { to: 'wait' },
}

/** Whether a bubble comes next that would show nothing but the answer, which the variable takes. */
export function isAnswerStreamed(
  variableId: string | undefined,
  { streamedVariable }: Pick<RunContext, 'streamedVariable'>,
): boolean {
  return streamedVariable?.candidates.some(({ id }) => id === variableId) === true
}

/** The client sends back what it was streamed: everything else is written meanwhile. */
export function* runStreamed(step: Step | Effects<Step>, variableId: string | undefined): Effects<Step> {
  const { assignments = [], ...rest } = Symbol.iterator in step ? yield* step : step
  return { ...rest, assignments: assignments.filter((assignment) => assignment.variableId !== variableId) }
}
