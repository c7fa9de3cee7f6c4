import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { UserInput } from '../../engine/model/step.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { resume, sayAgain, takeOutcome } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { takeOver } from '../../engine/walk/take-over.ts'
import { fire } from '../../engine/walk/timed-walk.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { Session } from '../../sessions/session.ts'
import type { Lease, StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import type { OpenSession } from '../session/open-session.ts'
import { checkPrefilledSize, setInitialVariables } from '../start/initial-variables.ts'
import { beginTurn, endTurn, openJournal, walkTurn, withTurnLimits } from '../turn/run-turn.ts'
import { checkLength } from '../turn/user-input.ts'
import { takeWebhookReply } from './execute-webhook.ts'
import { type TakenTurn, turnCommit } from './turn-commit.ts'
import type { TurnRequest } from './turn-request.ts'

/** A session that is about to be gone on with. */
interface HeldSession extends OpenSession {
  readonly lease: Lease
}

/**
 * Hands the input to the block that waits, or begins what a timer or an operator does, and walks on. Throws BAD_REQUEST for what the
 * conversation can do nothing with.
 */
export async function takeTurn(
  input: UserInput | undefined,
  open: HeldSession,
  { request, deps }: { readonly request: TurnRequest; readonly deps: ChatDependencies },
): Promise<TakenTurn> {
  const { stored, conversation } = open
  const { waitingBlock } = conversation
  const limited = withTurnLimits(stored.session, deps)
  const isWord = conversation.sleep || (conversation.pause && !request.isOutcome)
  if (isWord || !isClientReply(input, waitingBlock)) checkLength(input, limited.limits, conversation.gathered)
  const owner = ownerOf(input, open, request)
  const entry = entryOf(request)
  const journal = openJournal(stored.session, { owner, entry }, limited)
  const textBubbleContentFormat = formatOf(request, stored.session)
  const run = beginTurn(conversation, { owner, textBubbleContentFormat, journal }, limited)
  const { setVariables } = request.body
  if (setVariables) setChosenVariables(run.turn, stored.session, setVariables)
  await walkTurn(run, walkOf(run.turn, stored, { input, request }))
  endTurn(run, entry)
  const said = request.isOutcome ? undefined : input
  return turnCommit(run, stored, { input: said, request, entry, waitedAt: waitingBlock, deps })
}

/** Gives variables of a preview the values that its author wants to try. Throws BAD_REQUEST for any other session. */
function setChosenVariables(turn: Turn, { kind }: Session, given: Record<string, unknown>): void {
  if (kind !== 'preview') {
    const message = 'is for previews alone: leave it out, and prefill what is known before the start'
    throw invalidInput([{ pointer: '/setVariables', message }])
  }
  checkPrefilledSize(given, turn.currentFrame.variables.table, 'setVariables')
  setInitialVariables(turn, { prefilled: given, remembered: [] })
}

function ownerOf(
  input: UserInput | undefined,
  { stored: { session, revision, payload }, lease }: HeldSession,
  { requestLog }: TurnRequest,
): TurnOwner {
  const { kind, isTrusted, publicId, id: sessionId } = session
  const mocks = session.mocks && new MockWorld(session.mocks)
  const said = input ?? payload?.text
  return { kind, isTrusted, sessionId, lease, revision, said, isUnderWay: true, publicId, requestLog, mocks }
}

/** The first turn of a registered session is that of a start. */
function walkOf(
  turn: Turn,
  stored: StoredConversation,
  { input, request }: { readonly input: UserInput | undefined; readonly request: TurnRequest },
): Effects<unknown> {
  const { timer, act, body } = request
  if (timer) return fire(turn, timer)
  if (act) return takeOver(turn, act)
  if (stored.session.state === 'registered') return start(turn, undefined, input)
  if (input === undefined && body.locale !== undefined) return sayAgain(turn)
  if (request.isOutcome) return takeOutcome(turn, input)
  return resume(turn, input ?? (stored.session.pause ? undefined : takeWebhookReply(stored)))
}

/** Whether this is a client's answer to an action, which may be as long as a response of another system. */
function isClientReply(input: UserInput | undefined, waitingBlock: CompiledBlock | undefined): boolean {
  return input?.type === 'text' && waitingBlock !== undefined && waitingBlock.handler?.kind !== 'input'
}

function entryOf({ timer, act }: TurnRequest): 'continue' | 'timer' | 'operator' {
  if (act) return 'operator'
  return timer ? 'timer' : 'continue'
}

/** A timer writes as the turn that set it, and an operator as far as that is known. */
function formatOf(
  { body, timer, act }: TurnRequest,
  { pause, timers = [] }: Session,
): ContinueChatBody['textBubbleContentFormat'] {
  const setBy = act ? (pause ?? timers[0]) : timer
  return setBy?.isMarkdown ? 'markdown' : body.textBubbleContentFormat
}
