import { ServiceError } from '../../lib/errors.ts'
import type { Conversation } from '../model/conversation.ts'
import type { Effects } from '../model/effects.ts'
import type { CompiledBlock } from '../model/program.ts'
import {
  type ClientOutcome,
  type ClientReplyResult,
  type Pause,
  type Reply,
  replyContent,
  type Sleep,
  type TextReply,
  type UserInput,
} from '../model/step.ts'
import { noCodes } from '../model/template.ts'
import { assign } from '../turn/assign-variable.ts'
import { inputOfPause } from '../turn/person-words.ts'
import { runHandler } from '../turn/run-handler.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'
import { runCommand } from './events.ts'
import { handleReply, transcribeReply } from './handle-reply.ts'
import { nextByDefault } from './next-block.ts'
import { presentWaiting } from './present-waiting.ts'
import { passBubble, walk } from './walk.ts'

/**
 * Goes on with a conversation at the block where it waits (docs/behaviour/walk.md, "Going on"). Ends within the budgets
 * of the turn. Throws BAD_REQUEST, and then leaves the conversation in no state to be kept, for what the client
 * can't have meant: a command that the flow does not know, a reply that breaks the agreement with its block.
 */
export function* resume(turn: Turn, input: UserInput | undefined): Effects<TurnOutput> {
  try {
    if (isForWindow(turn.conversation, input)) return yield* gather(turn, input)
    yield* takeGathered(turn, input)
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}

/** Whether a text comes within the window of replies, or opens it; a request that says nothing leaves an open one as it is. */
function isForWindow(
  { frames, waitingBlock, gathered, pause }: Conversation,
  input: UserInput | undefined,
): input is TextReply | undefined {
  if (pause) return false
  if (input === undefined) return gathered !== undefined
  if (input.type !== 'text' || input.attachedFileUrls?.length) return false
  const [root] = frames
  return root?.program.timers?.replyWindowMs !== undefined && waitingBlock?.handler?.joinsReplies === true
}

/** Keeps a text until the window of replies is over; the input waits on, for more. */
function* gather(turn: Turn, input: TextReply | undefined): Effects<TurnOutput> {
  const { conversation } = turn
  if (input) conversation.gathered = [...(conversation.gathered ?? []), input]
  return yield* presentWaiting(turn)
}

/** Takes what was said in the window of replies as one reply, which is over then, and what came in behind it. */
export function takeGathered(turn: Turn, input?: UserInput): Effects<void> {
  const { gathered } = turn.conversation
  return gathered ? takeJoined(turn, gathered, input) : takeInput(turn, input)
}

function* takeJoined(
  turn: Turn,
  gathered: readonly TextReply[],
  input: UserInput | undefined,
): Effects<void> {
  const { conversation } = turn
  conversation.gathered = undefined
  const isPart = input?.type === 'text'
  const texts = (isPart ? [...gathered, input] : gathered).map(({ text }) => text)
  yield* takeInput(turn, { ...(isPart && input), type: 'text', text: texts.join('\n') })
  if (isPart || !input) return
  if (input.type === 'command' || conversation.waitingBlock?.handler?.kind === 'input')
    yield* takeInput(turn, input)
}

/**
 * Says again what an input asks, with the texts right before it: in another language than before. Nothing is answered, and
 * what other blocks wait for goes on as it is.
 */
export function* sayAgain(turn: Turn): Effects<TurnOutput> {
  const input = turn.conversation.waitingBlock
  if (turn.conversation.pause) turn.output.ask(inputOfPause)
  if (turn.conversation.pause || input?.handler?.kind !== 'input') return turn.output
  try {
    const { blocks } = input.group
    let first = blocks.indexOf(input)
    while (blocks[first - 1]?.type === 'text') first -= 1
    turn.take(undefined)
    yield* walk(turn, blocks[first])
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}

/** Takes what came in at the block where the conversation waits, and walks on. */
export function* takeInput(turn: Turn, input: UserInput | undefined): Effects<void> {
  const { waitingBlock: block, sleep } = turn.conversation
  if (!block) return
  if (turn.conversation.pause) return hearForPerson(turn, input)
  if (sleep && input?.type !== 'command') return yield* hearAsleep(turn, sleep, input)
  turn.take(input)
  if (input?.type === 'command') return yield* walk(turn, runCommand(turn, block, input.command))
  if (block.handler?.kind === 'input') return yield* walk(turn, yield* handleReply(turn, block, input))
  const shownVariableId = input?.type === 'text' ? yield* receive(turn, block, input.text) : undefined
  yield* walk(turn, yield* behindReply(turn, block, { shownVariableId }))
}

/** Takes words for the person who leads the conversation: they answer no question, and set off no event. */
function hearForPerson(turn: Turn, input: UserInput | undefined): void {
  const { conversation, output, textBubbleContentFormat } = turn
  const isMarkdown = textBubbleContentFormat === 'markdown' || undefined
  conversation.pause = { ...(conversation.pause as Pause), isMarkdown }
  if (input && input.type !== 'command') transcribeReply(turn, input, replyContent(input))
  output.ask(inputOfPause)
}

/**
 * Hands over what a client sends back, if anything, that knows nothing yet of a person who has come meanwhile: it is not for
 * that person, and the walk goes on behind the block when the conversation is given back. Throws as `resume` does.
 */
export function* takeOutcome(turn: Turn, input: UserInput | undefined): Effects<TurnOutput> {
  const { conversation, output } = turn
  const { pause, waitingBlock: block } = conversation
  if (!pause || !block) return output
  try {
    const outcome = input?.type === 'text' && { shownVariableId: yield* receive(turn, block, input.text) }
    conversation.pause = { ...pause, awaitsClient: undefined, outcome: outcome || undefined }
    output.ask(inputOfPause)
  } catch (error) {
    turn.stopFor(error)
  }
  return output
}

/** Replies that a sleeping conversation keeps; the oldest make room. */
const mostKeptReplies = 16

/** A reply while the service waits is kept, or ends the wait: then it is for the input behind, as the message of a start is. */
function* hearAsleep(turn: Turn, sleep: Sleep, input: Reply | undefined): Effects<void> {
  const { conversation } = turn
  if (!input) return
  if (sleep.replies) {
    conversation.sleep = { ...sleep, replies: [...sleep.replies, input].slice(-mostKeptReplies) }
    return
  }
  const block = conversation.waitingBlock as CompiledBlock
  turn.take(undefined)
  yield* walk(turn, nextByDefault(turn, block))
  if (isAsked(turn)) yield* takeInput(turn, input)
}

/** Whether a message that came before it can be meant for the input that the walk stopped at. */
export function isAsked({ output, conversation }: Turn): boolean {
  const handler = conversation.waitingBlock?.handler
  return output.messages.length === 0 && output.input !== undefined && handler?.showsChoices !== true
}

/** The block behind one that took what the client sent back. */
export function* behindReply(
  turn: Turn,
  block: CompiledBlock,
  { shownVariableId: shown }: ClientOutcome,
): Effects<CompiledBlock | undefined> {
  const following = nextByDefault(turn, block)
  return following && shown !== undefined && beginsWith(following, shown)
    ? yield* passBubble(turn, following)
    : following
}

function beginsWith({ leadingVariable }: CompiledBlock, variableId: string): boolean {
  return leadingVariable?.candidates.some(({ id }) => id === variableId) === true
}

/** Hands over what the client sends back; gives the variable that it has shown by then. */
function* receive(turn: Turn, block: CompiledBlock, text: string): Effects<string | undefined> {
  turn.journal?.enter(block, turn.currentFrame.program.id, 'took a reply')
  const { handler } = block
  const receipt = yield* runHandler<ClientReplyResult>(turn, {
    block,
    codes: noCodes,
    run: (compiled, context) => handler?.handleClientReply?.(compiled, text, context) ?? {},
  })
  if (receipt?.malformed !== undefined) {
    const message = receipt.malformed
    throw new ServiceError('BAD_REQUEST', message, { problems: [{ pointer: '/message', message }] })
  }
  for (const assignment of receipt?.assignments ?? []) assign(turn, assignment)
  for (const entry of receipt?.logs ?? []) turn.output.log(entry)
  return receipt?.shownVariableId
}
