import type { CodeJob, Completion, Mail, OutgoingRequest } from '../../engine/model/effect-payloads.ts'
import type { Effects } from '../../engine/model/effects.ts'
import { hasDynamicTheme, renderDynamicTheme } from '../../engine/templates/dynamic-theme.ts'
import { trimTranscript } from '../../engine/turn/transcript.ts'
import type { Turn, TurnOptions } from '../../engine/turn/turn.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type Outside, openOutside, type TurnOwner } from '../effects/external-effects.ts'
import { TurnBudget } from './call-budget.ts'
import { Driver, type World } from './effect-runner.ts'
import { reportDefects } from './report-defects.ts'
import { findFlowFor } from './resolve-flow-link.ts'

/** What a turn is run with, from the part of a request that says so. */
export function turnOptions(
  body: { readonly textBubbleContentFormat?: 'richText' | 'markdown' },
  chat: Pick<ChatDependencies, 'limits' | 'publicUrl' | 'ports' | 'areResultsRead'>,
): TurnOptions {
  const { limits, publicUrl, areResultsRead, ports } = chat
  const textBubbleContentFormat = body.textBubbleContentFormat ?? 'richText'
  return { limits, publicUrl, textBubbleContentFormat, areResultsRead, elapsed: ports.elapsed }
}

/** Makes what drives a turn of this owner. */
export function createTurnDriver(turn: Turn, owner: TurnOwner, chat: ChatDependencies): Driver {
  return new Driver(new TurnWorld(turn, owner, chat))
}

/** The world of one turn. Its outside is opened when it is first needed, which is in few turns. */
class TurnWorld implements World {
  readonly #turn: Turn
  readonly #owner: TurnOwner
  readonly #chat: ChatDependencies
  readonly #budget: TurnBudget
  #opened: Outside | undefined

  constructor(turn: Turn, owner: TurnOwner, chat: ChatDependencies) {
    this.#turn = turn
    this.#owner = owner
    this.#chat = chat
    this.#budget = new TurnBudget(chat)
  }

  get ports() {
    return this.#chat.ports
  }

  get turnMs() {
    return this.#chat.limits.turnMs
  }

  get #outside(): Outside {
    this.#opened ??= openOutside(this.#turn, this.#owner, this.#chat, this.#budget)
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

  complete(completion: Completion) {
    return this.#outside.complete(completion)
  }

  findFlow(flowId: string) {
    return findFlowFor(this.#owner, this.#chat.published)(flowId)
  }

  breathed(): void {
    this.#turn.breathed()
  }
}

/** Drives a turn to its end. Defects that the walk survived are reported. */
export async function runTurn(
  turn: Turn,
  walk: Effects<unknown>,
  { driver, chat }: { readonly driver: Driver; readonly chat: Pick<ChatDependencies, 'limits' | 'log'> },
): Promise<void> {
  const walked = driver.run(walk)
  if (walked instanceof Promise) await walked
  if (hasDynamicTheme(turn)) await driver.run(renderDynamicTheme(turn))
  const { transcript } = turn.conversation
  if (transcript) trimTranscript(transcript, chat.limits.variableLength)
  reportDefects(turn.output, chat.log)
}
