import type { CompletionOutcome, CompletionRequest } from '../../engine/model/effect-payloads.ts'
import { LimitExceeded } from '../../engine/model/limits.ts'
import { type LogEntry, placeOf } from '../../engine/model/log-entry.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { createTurn } from '../../engine/turn/create-turn.ts'
import { runHandler } from '../../engine/turn/run-handler.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { ServiceError } from '../../errors.ts'
import type { RequestTrace } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { callKey } from '../effects/call-key.ts'
import type { EffectExecutor } from '../effects/effect-executor.ts'
import { streamCompletion } from '../effects/stream-completion.ts'
import { TurnEffectExecutor } from '../effects/turn-effect-executor.ts'
import { credentialScopeOf, maySendRequests, type TurnOwner } from '../effects/turn-owner.ts'
import type { OpenSession } from '../session/open-session.ts'
import { EffectRunner } from '../turn/effect-runner.ts'
import { recordLimitMetrics } from '../turn/record-turn.ts'
import { reportDefects } from '../turn/report-defects.ts'
import { flowNameOf, hasErrors } from '../turn/report-errors.ts'
import { turnOptions } from '../turn/run-turn.ts'
import { StreamError, toUnansweredError } from './stream-error.ts'

/** How long an answer may take, with everything that is done for it, in milliseconds. */
export const maxStreamMs = 120_000

/** An answer to stream. */
export interface StreamRequest {
  readonly open: OpenSession
  /** The one that waits for the answer. */
  readonly block: CompiledBlock
  readonly trace?: RequestTrace | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  onText(text: string): void
}

/** What an answer leaves behind once it is streamed. */
export interface StreamResult {
  readonly finishReason: string
  readonly assignments: readonly Assignment[]
  readonly logs: readonly LogEntry[]
}

/**
 * Runs a block while the text of its model is streamed. The conversation is only read: what is
 * to be written comes back. Throws `NoAnswer`.
 */
export async function streamBlock(telling: StreamRequest, deps: ChatDependencies): Promise<StreamResult> {
  const { open, block } = telling
  const { kind, isTrusted, publicId, id: sessionId } = open.stored.session
  const { revision } = open.stored
  const owner = {
    kind,
    isTrusted,
    sessionId,
    revision,
    callScope: 'stream' as const,
    publicId,
    trace: telling.trace,
  }
  const turn = createTurn(open.conversation, turnOptions({}, deps))
  const model = openModel(telling, { turn, owner }, deps)
  const driver = new EffectRunner({
    ports: deps.ports,
    turnMs: deps.limits.turnMs,
    createExecutor: (startedAt) => createStreamExecutor({ turn, owner, model, startedAt }, deps),
    onResumed: () => turn.budget.onResumed(),
    admitHeavy: () => deps.heavyTurns.admit('continue'),
  })
  const run = () => block.handler?.stream?.(block.compiled, turn.contextOf(block)) ?? {}
  let hasErrorLogs = true
  try {
    const { assignments = [], logs = [] } =
      (await driver.run(runHandler<Step>(turn, { block, run }))) ?? failed()
    if (model.finishReason === undefined) throw neverAsked(logs)
    const place = placeOf(turn.currentFrame.program, block)
    const placed = logs.map((entry) => ({ ...entry, place }))
    const left = [...turn.output.logs, ...placed]
    hasErrorLogs = hasErrors(left)
    return { finishReason: model.finishReason, assignments, logs: left }
  } catch (error) {
    if (error instanceof LimitExceeded) turn.budget.recordLimit(error.limit)
    throw error
  } finally {
    recordLimitMetrics(turn, deps.metrics)
    reportDefects(turn.output, owner, deps.log)
    telling.trace?.turnDone({ flow: flowNameOf(owner), blocks: 1, engineMs: driver.usedMs, hasErrorLogs })
  }
}

/** Performs effects as in any turn, other than what the model of the stream answers. */
function createStreamExecutor(
  {
    turn,
    owner,
    model,
    startedAt,
  }: { turn: Turn; owner: TurnOwner; model: StreamedModel; startedAt: number },
  deps: ChatDependencies,
): EffectExecutor {
  const limits = { ...deps.limits, wholeTurnMs: maxStreamMs }
  const executor = new TurnEffectExecutor(turn, owner, { ...deps, limits }, startedAt)
  return {
    perform: (effect) =>
      effect.type === 'complete' ? model.complete(effect.completion) : executor.perform(effect),
  }
}

type StreamedModel = ReturnType<typeof openModel>

function neverAsked([log]: readonly LogEntry[]): StreamError {
  return new StreamError('BAD_REQUEST', log?.description ?? 'The block has nothing to stream')
}

function failed(): never {
  throw new Error('a block failed while it streamed')
}

/** The models that a block may ask, all of whose answers are streamed one after the other. */
function openModel(
  { signal, onText, block }: StreamRequest,
  { turn, owner }: { readonly turn: Turn; readonly owner: TurnOwner },
  deps: ChatDependencies,
) {
  const { ports, limits, closing, metrics } = deps
  const endsAt = ports.elapsed() + maxStreamMs
  let left = limits.variableLength
  let finishReason: string | undefined
  let asked = 0

  /** What is longer than a variable may be would be lost when it comes back. */
  function emitWithinLimit(text: string): boolean {
    onText(text.slice(0, left))
    left -= text.length
    return left >= 0
  }

  async function complete(completion: CompletionRequest): Promise<CompletionOutcome> {
    if (!maySendRequests(owner, deps)) {
      throw new StreamError('FORBIDDEN', 'Requests are not sent from this preview')
    }
    const borrower = credentialScopeOf(turn, owner)
    const timeoutMs = Math.max(1, Math.floor(endsAt - ports.elapsed()))
    asked += 1
    const key = callKey({ ...owner, callScope: 'streamed model' }, asked)
    const terms = { borrower, timeoutMs, key, signal, onText: emitWithinLimit }
    const outcome = await streamCompletion(completion, terms, deps)
    metrics.questionDone(outcome)
    if (closing.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    if (outcome.kind !== 'answer') throw toUnansweredError(outcome, block.type)
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
