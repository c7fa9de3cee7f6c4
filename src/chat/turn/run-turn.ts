import type { OutgoingRequest, RequestOutcome } from '../../engine/model/effect-payloads.ts'
import type { Effects } from '../../engine/model/effects.ts'
import { hasDynamicTheme, renderDynamicTheme } from '../../engine/templates/dynamic-theme.ts'
import { trimTranscript } from '../../engine/turn/transcript.ts'
import type { Turn, TurnOptions } from '../../engine/turn/turn.ts'
import type { TurnListener } from '../../engine/turn/turn-listener.ts'
import type { MaybePromise } from '../../stores/conversation-store.ts'
import type { TurnDependencies } from '../dependencies.ts'
import { createTurnExecutor } from '../effects/create-turn-executor.ts'
import type { EffectExecutor, PerformedEffect } from '../effects/effect-executor.ts'
import { reportUnused } from '../effects/mocks/report-unused.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { traceCalls } from '../telemetry/call-spans.ts'
import { endSpanOnFailure } from '../telemetry/turn-spans.ts'
import { describeCall } from '../trace/describe-call.ts'
import { RecordingExecutor } from '../trace/recording-executor.ts'
import { EffectRunner } from './effect-runner.ts'
import { reportDefects } from './report-defects.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  deps: Pick<TurnDependencies, 'limits' | 'publicUrl' | 'ports' | 'areResultsRead'>,
  recorder?: TurnListener,
): TurnOptions {
  const { limits, publicUrl, areResultsRead, ports } = deps
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, areResultsRead, recorder, elapsed: ports.elapsed }
}

/** Makes what drives a turn of this owner. */
export function createEffectRunner(turn: Turn, owner: TurnOwner, deps: TurnDependencies): EffectRunner {
  return new EffectRunner({
    ports: deps.ports,
    turnMs: deps.limits.turnMs,
    createExecutor: (startedAt) => createExecutor(turn, owner, { deps, startedAt }),
    onResumed: () => turn.budget.onResumed(),
    work: { turn, owner },
    admitHeavy: () => deps.heavyTurns.admit(owner.isUnderWay ? 'continue' : 'start'),
  })
}

function createExecutor(
  turn: Turn,
  owner: TurnOwner,
  { deps, startedAt }: { readonly deps: TurnDependencies; readonly startedAt: number },
): EffectExecutor {
  const { recorder } = turn
  const { mocks, isTrusted = false } = owner
  const onFetched =
    recorder &&
    ((request: OutgoingRequest, answer: RequestOutcome, isMocked: boolean) => {
      const effect = { type: 'request', request } as const
      const details = { isTrusted: isTrusted || isMocked }
      const call = { type: effect.type, ...describeCall(effect, answer, details), ms: 0 }
      recorder.called(isMocked ? { ...call, isMocked } : call)
    })
  const isMocked = (effect: PerformedEffect) => mocks !== undefined && !mocks.hasPassed(effect)
  const performing = createTurnExecutor(turn, owner, { deps, startedAt, onFetched })
  const alone = { spans: deps.spans, isAlone: mocks !== undefined }
  const traced = owner.span ? traceCalls(performing, owner.span, alone) : performing
  const executor = owner.tape?.listenTo(traced, turn) ?? traced
  return recorder
    ? new RecordingExecutor(executor, { recorder, ports: deps.ports, isMocked, isTrusted })
    : executor
}

/** A start that only registers has run nothing yet. */
const isOver = ({ conversation, budget }: Turn, { isUnderWay = false }: TurnOwner) =>
  !conversation.waitingBlock && (isUnderWay || budget.trail.length > 0)

/** What drives a turn, and for whom. */
interface TurnRun {
  readonly driver: EffectRunner
  readonly owner: TurnOwner
  readonly chat: Pick<TurnDependencies, 'limits' | 'log'>
}

/** Drives a turn to its end, at once where it waits for nothing. Defects that the walk survived are reported. */
export function runTurn(turn: Turn, walk: Effects<unknown>, run: TurnRun): MaybePromise<void> {
  const { span } = run.owner
  return span
    ? endSpanOnFailure(span, turn.conversation, () => driveTurn(turn, walk, run))
    : driveTurn(turn, walk, run)
}

function driveTurn(turn: Turn, walk: Effects<unknown>, { driver, owner, chat }: TurnRun): MaybePromise<void> {
  const finish = () => {
    const { transcript } = turn.conversation
    if (transcript) trimTranscript(transcript, chat.limits.variableLength)
    reportDefects(turn.output, owner, chat.log)
    if (owner.mocks && isOver(turn, owner)) reportUnused(turn, owner.mocks)
  }
  const theme = () => (hasDynamicTheme(turn) ? driver.run(renderDynamicTheme(turn)) : undefined)
  const walked = driver.run(walk)
  const themed = walked instanceof Promise ? walked.then(theme) : theme()
  return themed instanceof Promise ? themed.then(finish) : finish()
}
