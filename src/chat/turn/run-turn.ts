import type { CodeJob, CompletionRequest, Mail, OutgoingRequest } from '../../engine/model/effect-payloads.ts'
import type { Effects } from '../../engine/model/effects.ts'
import { hasDynamicTheme, renderDynamicTheme } from '../../engine/templates/dynamic-theme.ts'
import { trimTranscript } from '../../engine/turn/transcript.ts'
import type { Turn, TurnOptions } from '../../engine/turn/turn.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createExternalEffects, type ExternalEffects, type TurnOwner } from '../effects/external-effects.ts'
import { CallBudget } from './call-budget.ts'
import { type EffectExecutor, EffectRunner } from './effect-runner.ts'
import { reportDefects } from './report-defects.ts'
import { createFlowLinkResolver } from './resolve-flow-link.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  deps: Pick<ChatDependencies, 'limits' | 'publicUrl' | 'ports' | 'areResultsRead'>,
): TurnOptions {
  const { limits, publicUrl, areResultsRead, ports } = deps
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, areResultsRead, elapsed: ports.elapsed }
}

/** Makes what drives a turn of this owner. */
export function createEffectRunner(turn: Turn, owner: TurnOwner, deps: ChatDependencies): EffectRunner {
  return new EffectRunner(new TurnEffectExecutor(turn, owner, deps))
}

/** The world of one turn. Its outside is opened when it is first needed, which is in few turns. */
class TurnEffectExecutor implements EffectExecutor {
  readonly #turn: Turn
  readonly #owner: TurnOwner
  readonly #chat: ChatDependencies
  readonly #budget: CallBudget
  #opened: ExternalEffects | undefined

  constructor(turn: Turn, owner: TurnOwner, deps: ChatDependencies) {
    this.#turn = turn
    this.#owner = owner
    this.#chat = deps
    this.#budget = new CallBudget(deps, owner.lease)
  }

  get ports() {
    return this.#chat.ports
  }

  get turnMs() {
    return this.#chat.limits.turnMs
  }

  get #outside(): ExternalEffects {
    this.#opened ??= createExternalEffects(this.#turn, this.#owner, this.#chat, this.#budget)
    return this.#opened
  }

  evaluate(job: CodeJob) {
    return this.#outside.evaluate(job)
  }

  request(request: OutgoingRequest) {
    return this.#outside.request(request)
  }

  mail(mail: Mail) {
    return this.#outside.mail(mail)
  }

  complete(completion: CompletionRequest) {
    return this.#outside.complete(completion)
  }

  findFlow(flowId: string) {
    return createFlowLinkResolver(this.#owner, this.#chat.published)(flowId)
  }

  onResumed(): void {
    this.#turn.budget.onResumed()
  }

  admitHeavy(): boolean {
    return this.#chat.heavyTurns.admit(this.#owner.isUnderWay ? 'continue' : 'start')
  }
}

/** Drives a turn to its end. Defects that the walk survived are reported. */
export async function runTurn(
  turn: Turn,
  walk: Effects<unknown>,
  {
    driver,
    chat,
  }: { readonly driver: EffectRunner; readonly chat: Pick<ChatDependencies, 'limits' | 'log'> },
): Promise<void> {
  const walked = driver.run(walk)
  if (walked instanceof Promise) await walked
  if (hasDynamicTheme(turn)) await driver.run(renderDynamicTheme(turn))
  const { transcript } = turn.conversation
  if (transcript) trimTranscript(transcript, chat.limits.variableLength)
  reportDefects(turn.output, chat.log)
}
