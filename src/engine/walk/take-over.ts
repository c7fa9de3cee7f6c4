import { invalidInput } from '../../lib/errors.ts'
import type { Conversation } from '../model/conversation.ts'
import { ask, type Effects } from '../model/effects.ts'
import type { CompiledBlock, Target } from '../model/program.ts'
import { topOf } from '../model/program.ts'
import type { Pause } from '../model/step.ts'
import { JsonFragment } from '../templates/json-fragment.ts'
import { inputOfPause, textContent } from '../turn/person-words.ts'
import { transcribeLine } from '../turn/transcript.ts'
import type { Turn } from '../turn/turn.ts'
import type { TurnOutput } from '../turn/turn-output.ts'
import { leaveFrame } from './flow-links.ts'
import { transcribeReply } from './handle-reply.ts'
import { enterTarget, followEdge, nextByDefault } from './next-block.ts'
import { behindReply, sayAgain } from './resume-walk.ts'
import { walk } from './walk.ts'

/** Act of an operator, in the place of a visitor (docs/behaviour/handoff.md). */
export type OperatorAct =
  | {
      readonly type: 'pause'
      readonly reason?: string | undefined
      readonly who?: string | undefined
      /** Milliseconds since 1970. */
      readonly until?: number | undefined
    }
  | { readonly type: 'open'; readonly groupId?: string | undefined }
  | { readonly type: 'close' }
  | { readonly type: 'say'; readonly text: string; readonly name?: string | undefined }

/**
 * Takes the turn of an operator. Ends within the budgets of the turn. Throws BAD_REQUEST for a group that no flow of the
 * conversation has.
 */
export function* takeOver(turn: Turn, act: OperatorAct): Effects<TurnOutput> {
  const { conversation } = turn
  try {
    if (act.type === 'pause') yield* pause(turn, act)
    if (act.type === 'open') yield* endPause(turn, act)
    if (act.type === 'close') Object.assign(conversation, { pause: undefined, hasEnded: true })
    if (act.type === 'say') yield* say(turn, act)
  } catch (error) {
    turn.stopFor(error)
  }
  return turn.output
}

function* pause(turn: Turn, { reason, who, until }: OperatorAct & { type: 'pause' }): Effects<void> {
  const { conversation, textBubbleContentFormat } = turn
  const before: Pause = conversation.pause ?? {
    since: yield* ask({ type: 'now' }),
    sleep: conversation.sleep,
    isMarkdown: textBubbleContentFormat === 'markdown' || undefined,
    awaitsClient: awaitsClient(conversation),
  }
  const named = { reason: reason ?? before.reason, who: who ?? before.who }
  // The window of replies is over: they are for the person.
  for (const reply of conversation.gathered ?? []) transcribeReply(turn, reply, reply.text)
  conversation.gathered = undefined
  conversation.sleep = undefined
  conversation.pause = { ...before, ...named, until, isAwaited: undefined }
  turn.output.ask(inputOfPause)
}

/** Whether a client does something for the block that waits; a messenger does nothing. */
function awaitsClient({ waitingBlock, sleep, channel }: Conversation): true | undefined {
  return (waitingBlock?.handler?.kind !== 'input' && !sleep && !channel) || undefined
}

/** Shows words of a person, who leads the conversation if anybody does: no deadline of a handoff passes any more. */
function* say(turn: Turn, { text, name }: OperatorAct & { type: 'say' }): Effects<void> {
  const { conversation, output } = turn
  const { pause: held } = conversation
  if (held) {
    const until = held.isAwaited ? undefined : held.until
    conversation.pause = { ...held, who: name ?? held.who, until, isAwaited: undefined }
  }
  const id = yield* ask({ type: 'id' })
  const content = textContent(text.split('\n'), turn.textBubbleContentFormat)
  const sender = name === undefined ? {} : { name }
  output.show(new JsonFragment({ id, type: 'text' as const, content, sender }))
  transcribeLine(turn, 'person', text, name === undefined ? {} : { name })
}

interface EndOfPause {
  /** Where the flow goes on, in place of where it stood. */
  readonly groupId?: string | undefined
  /** Nobody has ended it: its time is over. */
  readonly isDue?: boolean
}

/** Gives the conversation back to its flow: at a group, behind the block that handed it over, or at what waited. */
export function* endPause(turn: Turn, { groupId, isDue }: EndOfPause): Effects<void> {
  const { conversation } = turn
  const { pause: ended, waitingBlock: block } = conversation
  if (!ended || !block) return
  if (groupId !== undefined) {
    const target = groupOf(turn, groupId)
    turn.take(undefined)
    turn.journal?.went({ why: 'chosen place' })
    yield* walk(turn, enterTarget(turn, undefined, target))
  } else if (ended.isByFlow) {
    turn.take(undefined)
    yield* walk(turn, behind(turn, block, isDue === true && ended.isAwaited === true))
  } else if (ended.outcome) {
    turn.take(undefined)
    yield* walk(turn, yield* behindReply(turn, block, ended.outcome))
  } else {
    Object.assign(conversation, { pause: undefined, sleep: ended.sleep })
    yield* sayAgain(turn)
  }
}

function behind(turn: Turn, block: CompiledBlock, isLate: boolean): CompiledBlock | undefined {
  const [late] = isLate ? block.itemEdgeIds : []
  return late === undefined ? nextByDefault(turn, block) : followEdge(turn, block, late)
}

/** Throws BAD_REQUEST for an act that names a group which no flow of the conversation has. */
export function checkGroup(act: OperatorAct, { frames }: Conversation): void {
  if (act.type !== 'open' || act.groupId === undefined) return
  const { groupId } = act
  if (!frames.some(({ program }) => program.groups.has(groupId))) throw noGroup()
}

function noGroup() {
  const message = 'is no group of the flows that the conversation is in: give the id of one'
  return invalidInput([{ pointer: '/groupId', message }])
}

/** A group of the flow that is being walked, else of the nearest one that linked to it; those above are left. */
function groupOf(turn: Turn, groupId: string): Target {
  const { frames }: Conversation = turn.conversation
  const index = frames.findLastIndex(({ program }) => program.groups.has(groupId))
  const group = frames[index]?.program.groups.get(groupId)
  if (!group) throw noGroup()
  while (frames.length - 1 > index) leaveFrame(turn)
  return topOf(group)
}
