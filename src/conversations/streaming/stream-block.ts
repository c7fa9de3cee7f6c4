import type { RunContext } from '../../engine/model/block-handler.ts'
import type {
  CompletionOutcome,
  CompletionRequest,
  VendorCall,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import { LimitExceeded } from '../../engine/model/limits.ts'
import { type LogEntry, placeOf } from '../../engine/model/log-entry.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { runHandler } from '../../engine/turn/run-handler.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { RequestLog } from '../../ports/request-log-port.ts'
import type { Session } from '../../stores/session.ts'
import { ownerOf } from '../../uploads/upload-path.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createCallNames } from '../effects/call-key.ts'
import { createTurnExecutor } from '../effects/create-turn-executor.ts'
import type { EffectExecutor } from '../effects/effect-executor.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import { inlineImages } from '../effects/models/inline-images.ts'
import { streamCompletion } from '../effects/models/stream-completion.ts'
import { TurnEffectExecutor, type VendorStream } from '../effects/turn-effect-executor.ts'
import { credentialScopeOf, maySendRequests, type TurnOwner } from '../effects/turn-owner.ts'
import { answerIn } from '../effects/vendors/stream-vendor-answer.ts'
import type { OpenSession } from '../session/open-session.ts'
import { endCallSpans, errorTypeOf } from '../telemetry/call-spans.ts'
import { endSpan } from '../telemetry/turn-spans.ts'
import { flowNameOf, hasErrors, reportDefects, reportLimits } from '../turn/report-turn.ts'
import { beginTurn, openJournal } from '../turn/run-turn.ts'
import { StreamError, toUnansweredError } from './stream-error.ts'

/** How long an answer may take, with everything that is done for it, in milliseconds. */
export const maxStreamMs = 120_000

/** An answer to stream. */
export interface StreamRequest {
  readonly open: OpenSession
  /** The one that waits for the answer. */
  readonly block: CompiledBlock
  readonly requestLog?: RequestLog | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  onText(text: string): void
}

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
  const model = openModel(request, { turn, owner }, deps)
  const run = (context: RunContext) => block.handler?.stream?.(block.compiled, context) ?? {}
  let hasErrorLogs = true
  let failure: string | undefined
  try {
    const { assignments = [], logs = [] } =
      (await runner.run(runHandler<Step>(turn, { block, run }))) ?? failed()
    if (model.finishReason === undefined) throw unanswered(logs, model.wasAsked)
    const place = placeOf(turn.currentFrame.program, block)
    const placed = logs.map((entry) => ({ ...entry, place }))
    const left = [...turn.output.logs, ...placed]
    hasErrorLogs = hasErrors(left)
    return { finishReason: model.finishReason, assignments, logs: left, mocks: owner.mocks?.kept }
  } catch (error) {
    if (error instanceof LimitExceeded) turn.budget.limitsReached.push(error.limit)
    failure = errorTypeOf(error)
    throw error
  } finally {
    reportLimits(turn.budget, deps.metrics)
    reportDefects(turn.output, owner, deps.log)
    const engineMs = runner.usedMs
    const { conversation, output } = turn
    if (journal) {
      endCallSpans(journal)
      const facts = { conversation, blocks: 1, engineMs, logs: output.logs, failure }
      if (journal.spans) endSpan(journal.spans.turn, facts)
    }
    requestLog?.turnDone({ flow: flowNameOf(owner), blocks: 1, engineMs, hasErrorLogs })
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
    perform(effect) {
      if (effect.type === 'callVendor' && effect.call.streamFormat !== undefined) {
        const { call } = effect
        return model.callVendor(call, async (stream) =>
          executor instanceof TurnEffectExecutor
            ? executor.streamVendor(call, stream)
            : ((await executor.perform(effect)) as VendorOutcome),
        )
      }
      if (effect.type !== 'complete') return executor.perform(effect)
      return model.complete(
        effect.completion,
        owner.mocks && (async () => (await executor.perform(effect)) as CompletionOutcome),
      )
    },
  }
}

type StreamedModel = ReturnType<typeof openModel>

/** The block says in its log what went wrong. */
function unanswered([log]: readonly LogEntry[], wasAsked: boolean): StreamError {
  const code = wasAsked ? 'SERVICE_UNAVAILABLE' : 'BAD_REQUEST'
  return new StreamError(code, log?.description ?? 'The block has nothing to stream', log?.details)
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
  const name = createCallNames({ ...owner, callScope: 'streamed model' })
  let finishReason: string | undefined
  let repeats = 0
  let wasAsked = false

  /** A text longer than a variable may be would be lost when it comes back. */
  function emitWithinLimit(text: string): boolean {
    onText(text.slice(0, left))
    left -= text.length
    return left >= 0
  }

  /** `mocked` answers in place of the model. */
  async function complete(
    completion: CompletionRequest,
    mocked?: () => Promise<CompletionOutcome>,
  ): Promise<CompletionOutcome> {
    if (mocked) return emitWhole(await mocked())
    if (!maySendRequests(owner, deps)) throw notSent()
    const scope = credentialScopeOf(turn, owner)
    const timeoutMs = Math.max(1, Math.floor(endsAt - ports.elapsed()))
    const mayRepeat = () => ++repeats < limits.callsPerTurn
    const terms = { scope, timeoutMs, name, mayRepeat, signal, onText: emitWithinLimit }
    const folder = ownerOf(turn.currentFrame.resultId, owner.sessionId)
    const shown = await inlineImages(completion, { owner: folder, files: deps.files })
    const outcome = await streamCompletion(shown, terms, deps)
    metrics.questionDone(outcome)
    return take(outcome)
  }

  /** A failure comes back to the block, which says so in its log. */
  async function callVendor(
    call: VendorCall,
    perform: (stream: VendorStream) => Promise<VendorOutcome>,
  ): Promise<VendorOutcome> {
    if (!owner.mocks && !maySendRequests(owner, deps)) throw notSent()
    wasAsked = true
    let isEmitted = false
    const emit = (text: string) => {
      isEmitted = true
      return emitWithinLimit(text)
    }
    const outcome = await perform({ signal, onText: emit })
    if (closing.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    if (outcome.kind === 'no account') throw toUnansweredError(outcome, call.vendor)
    const answer = outcome.kind === 'response' ? answerIn(outcome) : undefined
    if (answer === undefined) return outcome
    if (!isEmitted) emit(answer)
    finishReason = left < 0 ? 'length' : 'stop'
    return outcome
  }

  /** An answer that comes as a whole is one piece. */
  function emitWhole(outcome: CompletionOutcome): CompletionOutcome {
    if (outcome.kind === 'answer') emitWithinLimit(textOf(outcome.body))
    return take(outcome)
  }

  function take(outcome: CompletionOutcome): CompletionOutcome {
    if (closing.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    if (outcome.kind !== 'answer') throw toUnansweredError(outcome, block.type)
    finishReason = finishReasonOf(outcome.body)
    return outcome
  }

  return {
    complete,
    callVendor,
    get wasAsked() {
      return wasAsked
    },
    /** Of the last answer; undefined when nothing was asked. */
    get finishReason() {
      return finishReason
    },
  }
}

const notSent = () => new StreamError('FORBIDDEN', 'Requests are not sent from this preview')

function textOf(body: unknown): string {
  const { choices } = body as { choices: readonly { message?: { content?: string | null } }[] }
  return choices[0]?.message?.content ?? ''
}

function finishReasonOf(body: unknown): string {
  const { choices } = body as { choices: readonly { finish_reason?: string }[] }
  return choices[0]?.finish_reason ?? 'stop'
}
