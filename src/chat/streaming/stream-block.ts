import type { Log } from '../../../schemas/log.ts'
import type { Completion, CompletionOutcome } from '../../engine/model/effect-payloads.ts'
import { BudgetSpent } from '../../engine/model/limits.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { guarded } from '../../engine/turn/run-handler.ts'
import { Turn } from '../../engine/turn/turn.ts'
import { ServiceError } from '../../errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import {
  borrowerOf,
  counted,
  maySendRequests,
  openOutside,
  type TurnOwner,
} from '../effects/external-effects.ts'
import { streamCompletion } from '../effects/stream-completion.ts'
import type { OpenSession } from '../session/open-session.ts'
import { Driver } from '../turn/effect-runner.ts'
import { countLimits } from '../turn/record-turn-metrics.ts'
import { reportDefects } from '../turn/report-defects.ts'
import { findFlowFor } from '../turn/resolve-flow-link.ts'
import { turnOptions } from '../turn/run-turn.ts'
import { NoAnswer, unanswered } from './stream-error.ts'

/** How long an answer may take, with everything that is done for it, in milliseconds. */
export const streamMs = 120_000

/** An answer that is to be told. */
export interface Telling {
  readonly open: OpenSession
  /** The one that waits for the answer. */
  readonly block: CompiledBlock
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal
  tell(text: string): void
}

/** What is left of an answer once it is told. */
export interface Told {
  readonly finishReason: string
  readonly assignments: readonly Assignment[]
  readonly logs: readonly Log[]
}

/**
 * Has a block do its work while what its model says is told as it comes in. The conversation is only read: what is
 * to be written comes back. Throws `NoAnswer`.
 */
export async function tellAnswer(telling: Telling, chat: ChatDependencies): Promise<Told> {
  const { open, block } = telling
  const { kind, isTrusted, id: sessionId } = open.session
  const owner = { kind, isTrusted, sessionId }
  const turn = new Turn(open.conversation, turnOptions({}, chat))
  const model = openModel(telling, { turn, owner }, chat)
  const driver = new Driver({
    ...openOutside(turn, owner, { ...chat, limits: { ...chat.limits, wholeTurnMs: streamMs } }),
    complete: model.complete,
    ports: chat.ports,
    turnMs: chat.limits.turnMs,
    findFlow: findFlowFor(owner, chat.published),
    breathed: () => turn.breathed(),
  })
  const work = () => block.handler?.stream?.(block.compiled, turn.contextOf(block)) ?? {}
  try {
    const { assignments = [], logs = [] } = (await driver.run(guarded<Step>(turn, block, work))) ?? failed()
    if (model.finishReason === undefined) throw neverAsked(logs)
    return { finishReason: model.finishReason, assignments, logs: [...turn.output.logs, ...logs] }
  } catch (error) {
    if (error instanceof BudgetSpent) turn.limitsReached.push(error.limit)
    throw error
  } finally {
    countLimits(turn, chat.metrics)
    reportDefects(turn.output, chat.log)
  }
}

function neverAsked([log]: readonly Log[]): NoAnswer {
  return new NoAnswer('BAD_REQUEST', log?.description ?? 'The block has nothing to stream')
}

function failed(): never {
  throw new Error('a block failed while it streamed')
}

/** The models that a block may ask, all of whose answers are told one after the other. */
function openModel(
  { signal, tell, block }: Telling,
  { turn, owner }: { readonly turn: Turn; readonly owner: TurnOwner },
  chat: ChatDependencies,
) {
  const { ports, limits, closing, metrics } = chat
  const endsAt = ports.elapsed() + streamMs
  let left = limits.variableLength
  let finishReason: string | undefined

  /** What is longer than a variable may be would be lost when it comes back. */
  function tellWithinLimit(text: string): boolean {
    tell(text.slice(0, left))
    left -= text.length
    return left >= 0
  }

  async function complete(completion: Completion): Promise<CompletionOutcome> {
    if (!maySendRequests(owner, chat)) {
      throw new NoAnswer('FORBIDDEN', 'Requests are not sent from this preview')
    }
    const borrower = borrowerOf(turn, owner)
    const timeoutMs = Math.max(1, Math.floor(endsAt - ports.elapsed()))
    const terms = { borrower, timeoutMs, signal, tell: tellWithinLimit }
    const outcome = await counted(streamCompletion(completion, terms, chat), metrics.questionDone)
    if (closing.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    if (outcome.kind !== 'answer') throw unanswered(outcome, block.type)
    finishReason = finishReasonOf(outcome.body)
    return outcome
  }

  return {
    complete,
    /** Of the last answer; undefined when nothing was asked. */
    get finishReason() {
      return finishReason
    },
  }
}

function finishReasonOf(body: unknown): string {
  const { choices } = body as { choices: readonly { finish_reason?: string }[] }
  return choices[0]?.finish_reason ?? 'stop'
}
