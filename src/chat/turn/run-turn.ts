import type { Effects } from '../../engine/model/effects.ts'
import { hasDynamicTheme, renderDynamicTheme } from '../../engine/templates/dynamic-theme.ts'
import { trimTranscript } from '../../engine/turn/transcript.ts'
import type { Turn, TurnOptions } from '../../engine/turn/turn.ts'
import type { TurnRecorder } from '../../engine/turn/turn-recorder.ts'
import type { MaybePromise } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { EffectExecutor } from '../effects/effect-executor.ts'
import { TurnEffectExecutor } from '../effects/turn-effect-executor.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { RecordingExecutor } from '../trace/recording-executor.ts'
import { EffectRunner } from './effect-runner.ts'
import { reportDefects } from './report-defects.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  deps: Pick<ChatDependencies, 'limits' | 'publicUrl' | 'ports' | 'areResultsRead'>,
  recorder?: TurnRecorder,
): TurnOptions {
  const { limits, publicUrl, areResultsRead, ports } = deps
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, areResultsRead, recorder, elapsed: ports.elapsed }
}

/** Makes what drives a turn of this owner. */
export function createEffectRunner(turn: Turn, owner: TurnOwner, deps: ChatDependencies): EffectRunner {
  return new EffectRunner({
    ports: deps.ports,
    turnMs: deps.limits.turnMs,
    createExecutor: (startedAt) => createExecutor(turn, owner, { deps, startedAt }),
    onResumed: () => turn.budget.onResumed(),
    admitHeavy: () => deps.heavyTurns.admit(owner.isUnderWay ? 'continue' : 'start'),
  })
}

function createExecutor(
  turn: Turn,
  owner: TurnOwner,
  { deps, startedAt }: { readonly deps: ChatDependencies; readonly startedAt: number },
): EffectExecutor {
  const executor = new TurnEffectExecutor(turn, owner, deps, startedAt)
  const { recorder } = turn
  if (!recorder) return executor
  return new RecordingExecutor(executor, {
    recorder,
    ports: deps.ports,
    isTrusted: owner.isTrusted === true,
  })
}

/** Drives a turn to its end, at once where it waits for nothing. Defects that the walk survived are reported. */
export function runTurn(
  turn: Turn,
  walk: Effects<unknown>,
  {
    driver,
    owner,
    chat,
  }: {
    readonly driver: EffectRunner
    readonly owner: TurnOwner
    readonly chat: Pick<ChatDependencies, 'limits' | 'log'>
  },
): MaybePromise<void> {
  const finish = () => {
    const { transcript } = turn.conversation
    if (transcript) trimTranscript(transcript, chat.limits.variableLength)
    reportDefects(turn.output, owner, chat.log)
  }
  const theme = () => (hasDynamicTheme(turn) ? driver.run(renderDynamicTheme(turn)) : undefined)
  const walked = driver.run(walk)
  const themed = walked instanceof Promise ? walked.then(theme) : theme()
  return themed instanceof Promise ? themed.then(finish) : finish()
}
