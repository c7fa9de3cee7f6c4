import type { StartChatBody } from '../../../schemas/start-chat.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import { createTurn } from '../../engine/turn/create-turn.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { Variables } from '../../engine/values/variables.ts'
import { type StartFrom, start } from '../../engine/walk/start-walk.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import { type Appearance, renderWhole } from '../response/render-appearance.ts'
import type { EffectRunner } from '../turn/effect-runner.ts'
import { recordTurn } from '../turn/record-turn.ts'
import { createEffectRunner, runTurn, turnOptions } from '../turn/run-turn.ts'
import { checkLength, readUserInput } from '../turn/user-input.ts'
import { checkPrefilledSize, type RememberedVariable, setInitialVariables } from './initial-variables.ts'

/** What a first turn depends on, for published flows and drafts alike. */
export interface FirstTurnRequest {
  readonly program: Program
  readonly body: Pick<
    StartChatBody,
    'message' | 'isStreamEnabled' | 'isOnlyRegistering' | 'prefilledVariables' | 'textBubbleContentFormat'
  >
  readonly startFrom?: StartFrom | undefined
  /** Live sessions only. */
  readonly resultId?: string
  readonly remembered?: Remembered | undefined
  readonly isProgressTracked: boolean
}

/** What an earlier run of the same visitor left behind. */
export interface Remembered {
  readonly variables: readonly RememberedVariable[]
  readonly answers: ReadonlyMap<string, string>
}

/** A conversation after its first turn, and the parts of its look that a start response carries. */
export interface FirstTurn extends Appearance {
  readonly turn: Turn
  /** Whether everybody who asks for the same gets the same: nothing of it depends on the world or the visitor. */
  readonly isCacheable: boolean
}

/**
 * Sets a conversation up and walks its first turn; one that only registers is set up and left at that.
 * Throws BAD_REQUEST for a message that the conversation can do nothing with, and for too much that is prefilled.
 */
export async function runFirstTurn(
  request: FirstTurnRequest,
  owner: TurnOwner,
  deps: ChatDependencies,
): Promise<FirstTurn> {
  const { program, body, remembered } = request
  const input = readUserInput(body.message)
  checkLength(input, deps.limits)
  checkPrefilledSize(body.prefilledVariables, program.variables)
  const turn = createTurn(newConversation(request), turnOptions(body, deps))
  const driver = createEffectRunner(turn, owner, deps)
  setInitialVariables(turn, { prefilled: body.prefilledVariables, remembered: remembered?.variables ?? [] })
  // Those of the flow that was started: a link may lead into another meanwhile.
  const { variables } = turn.currentFrame
  const tools = { driver, variables }
  const theme = program.theme.constant ?? (await renderWhole(program.theme, turn, tools))
  const walk = body.isOnlyRegistering === true ? walkNothing() : start(turn, request.startFrom, input)
  await runTurn(turn, walk, { driver, owner, chat: deps })
  const settings = program.settings.constant ?? (await renderWhole(program.settings, turn, tools))
  recordTurn(turn, { entry: 'start', driver, owner }, deps)
  return { turn, theme, settings, isCacheable: isCacheable(turn, driver) }
}

function isCacheable({ readsVisitorData, budget, output }: Turn, { hasAsked }: EffectRunner): boolean {
  return !hasAsked && !readsVisitorData && budget.limitsReached.length === 0 && output.defects.length === 0
}

function* walkNothing(): Effects<void> {}

function newConversation(request: FirstTurnRequest): Conversation {
  const { program, body, remembered, resultId, isProgressTracked } = request
  const root = {
    program,
    variables: new Variables(program.variables),
    answers: new Map(remembered?.answers),
    resultId,
    resumeAt: undefined,
    mergesResults: false,
  }
  return {
    frames: [root],
    returnStack: [],
    isLive: resultId !== undefined,
    isStreamEnabled: body.isStreamEnabled === true,
    isProgressTracked,
    acceptedReplies: 0,
    mails: 0,
    transcript: program.needsTranscript ? [] : undefined,
    waitingBlock: undefined,
  }
}
