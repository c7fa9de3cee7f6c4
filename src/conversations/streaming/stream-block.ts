import type { RunContext } from '../../engine/model/block-handler.ts'
import type { CompletionOutcome, VendorOutcome } from '../../engine/model/effect-payloads.ts'
import { LimitExceeded } from '../../engine/model/limits.ts'
import { type LogEntry, logPlaceOf } from '../../engine/model/log-entry.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { runHandler } from '../../engine/turn/run-handler.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { Session } from '../../sessions/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createTurnExecutor } from '../effects/create-turn-executor.ts'
import type { EffectExecutor } from '../effects/effect-executor.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import { TurnEffectExecutor } from '../effects/turn-effect-executor.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { endCallSpans, errorTypeOf } from '../telemetry/call-spans.ts'
import { endSpan } from '../telemetry/turn-spans.ts'
import { hasErrors, reportDefects } from '../turn/report-turn.ts'
import { beginTurn, openJournal } from '../turn/run-turn.ts'
import { StreamError } from './stream-error.ts'
import { maxStreamMs, StreamedModel, type StreamRequest } from './streamed-model.ts'

/** State that an answer leaves behind once it is streamed. */
export interface StreamResult {
  readonly finishReason: string
  readonly assignments: readonly Assignment[]
  readonly logs: readonly LogEntry[]
  /** As the answer leaves them. */
  readonly mocks?: Session['mocks']
}

/**
 * Runs a block while the text of its model is streamed. The conversation is only read: what is
 * to be written comes back. Throws `NoAnswer`.
 */
export async function streamBlock(request: StreamRequest, deps: ChatDependencies): Promise<StreamResult> {
  const { open, block } = request
  const { kind, isTrusted, publicId, id: sessionId, mocks } = open.stored.session
  const { revision } = open.stored
  const { requestLog } = request
  const owner = {
    kind,
    isTrusted,
    sessionId,
    revision,
    callScope: 'stream' as const,
    isUnderWay: true,
    publicId,
    requestLog,
    mocks: mocks && new MockWorld(mocks),
  }
  const journal = openJournal({}, { owner, entry: 'stream' }, deps)
  const createExecutor = (streamed: Turn, startedAt: number) =>
    createStreamExecutor({ turn: streamed, owner, model, startedAt }, deps)
  const { turn, runner } = beginTurn(open.conversation, { owner, journal, createExecutor }, deps)
  const model = new StreamedModel(request, { turn, owner }, deps)
  const run = (compiled: unknown, context: RunContext) => block.handler?.stream?.(compiled, context) ?? {}
  let hasErrorLogs = true
  let failure: string | undefined
  try {
    const { assignments = [], logs = [] } =
      (await runner.run(runHandler<Step>(turn, { block, run }))) ?? failed()
    if (model.finishReason === undefined) throw unanswered(logs, model.wasAsked)
    const place = logPlaceOf(turn.currentFrame.program, block)
    const placed = logs.map((entry) => ({ ...entry, place }))
    const left = [...turn.output.logs, ...placed]
    hasErrorLogs = hasErrors(left)
    return { finishReason: model.finishReason, assignments, logs: left, mocks: owner.mocks?.kept }
  } catch (error) {
    if (error instanceof LimitExceeded) turn.budget.limitsReached.push(error.limit)
    failure = errorTypeOf(error)
    throw error
  } finally {
    for (const limit of turn.budget.limitsReached) deps.metrics.limitReached(limit)
    reportDefects(turn.output, owner, deps.log)
    const engineMs = runner.usedMs
    const { conversation, output } = turn
    if (journal) {
      endCallSpans(journal)
      const facts = { conversation, blocks: 1, engineMs, logs: output.logs, failure }
      if (journal.spans) endSpan(journal.spans.turn, facts)
    }
    requestLog?.turnDone({ flow: owner.publicId, sessionId, blocks: 1, engineMs, hasErrorLogs })
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
  const executor = createTurnExecutor(turn, owner, { deps: { ...deps, limits }, startedAt })
  return {
    perform(effect, mask) {
      if (effect.type === 'callVendor' && effect.call.streamFormat !== undefined) {
        const { call } = effect
        return model.callVendor(call, mask, async (stream) =>
          executor instanceof TurnEffectExecutor
            ? executor.streamVendor(call, stream)
            : ((await executor.perform(effect)) as VendorOutcome),
        )
      }
      if (effect.type !== 'complete') return executor.perform(effect)
      return model.complete(
        effect.completion,
        mask,
        owner.mocks && (async () => (await executor.perform(effect)) as CompletionOutcome),
      )
    },
  }
}

/** The block says in its log what went wrong. */
function unanswered([log]: readonly LogEntry[], wasAsked: boolean): StreamError {
  const code = wasAsked ? 'SERVICE_UNAVAILABLE' : 'BAD_REQUEST'
  return new StreamError(code, log?.description ?? 'The block has nothing to stream', log?.details)
}

function failed(): never {
  throw new Error('a block failed while it streamed')
}
