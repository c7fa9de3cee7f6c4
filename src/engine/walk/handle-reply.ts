import type { RunContext } from '../model/block-handler.ts'
import { type Frame, localeOf } from '../model/conversation.ts'
import { defaultTexts } from '../model/default-texts.ts'
import type { Effects } from '../model/effects.ts'
import type { CompiledBlock } from '../model/program.ts'
import { type Reply, type ReplyResult, replyContent, type Step } from '../model/step.ts'
import { noCodes, type TextTemplate } from '../model/template.ts'
import { JsonFragment } from '../templates/json-fragment.ts'
import { renderText } from '../templates/text-template.ts'
import { assign } from '../turn/assign-variable.ts'
import { textContent } from '../turn/person-words.ts'
import { runHandler } from '../turn/run-handler.ts'
import { transcribeLine } from '../turn/transcript.ts'
import type { Turn } from '../turn/turn.ts'
import { sensitiveTexts } from '../values/sensitive-values.ts'
import { branchToEvent, eventFor } from './events.ts'
import { followEdge, nextByDefault } from './next-block.ts'

const passedOver: ReplyResult = Object.freeze({ outcome: 'skipped' })

/**
 * Hands a reply, or none, to an input (docs/behaviour/walk.md, "Replies"). Gives the block that the walk goes on with;
 * undefined when the input waits again, and when nothing follows.
 */
export function* handleReply(
  turn: Turn,
  block: CompiledBlock,
  reply: Reply | undefined,
): Effects<CompiledBlock | undefined> {
  if (reply) noteSensitive(turn, block, reply)
  const before = turn.currentFrame.program.hasReplyEvents ? turn.output.mark() : undefined
  const verdict = yield* validateReply(turn, block, reply)
  const after = before && turn.output.mark()
  const diversion = after && eventFor(turn, { reply, isRefused: verdict.outcome === 'refused' })
  if (reply && turn.isTranscribed)
    transcribeReply(turn, reply, verdict.outcome === 'accepted' ? verdict.content : replyContent(reply))
  if (!diversion) return yield* applyReplyResult(turn, block, { reply, verdict })
  // The input judges the reply once more when the event returns.
  if (diversion.event.type === 'reply') turn.output.drop(before, after)
  return branchToEvent(turn, block, diversion)
}

/** Has a reply to an input that fills a marked variable masked, as it was said, and where it is refused. */
function noteSensitive(turn: Turn, block: CompiledBlock, reply: Reply): void {
  const variableId = block.handler?.answerVariableId?.(block.compiled)
  const variable = variableId === undefined ? undefined : turn.currentFrame.variables.table.byId(variableId)
  if (!variable?.sensitivity) return
  const { name, sensitivity } = variable
  turn.sensitive.push(...sensitiveTexts({ name, sensitivity }, replyContent(reply)))
}

/** Notes what was said, in this form. */
export function transcribeReply(turn: Turn, reply: Reply, content: string): void {
  transcribeLine(turn, 'user', withFiles(content, reply))
}

/** Stored answer with files: their addresses, and then its text. */
function withFiles(content: string, reply: Reply): string {
  const attached = reply.type === 'text' ? (reply.attachedFileUrls ?? []) : []
  return attached.length > 0 ? `${attached.join(', ')}\n\n${content}` : content
}

/** Hands a reply to its input after an event has seen it, which is not set off again. */
export function* handleReplyAgain(
  turn: Turn,
  block: CompiledBlock,
  reply: Reply,
): Effects<CompiledBlock | undefined> {
  return yield* applyReplyResult(turn, block, { reply, verdict: yield* validateReply(turn, block, reply) })
}

function* validateReply(turn: Turn, block: CompiledBlock, reply: Reply | undefined): Effects<ReplyResult> {
  turn.journal?.enter(block, turn.currentFrame.program.id, 'took a reply')
  const { handler } = block
  const verdict = yield* runHandler<ReplyResult>(turn, {
    block,
    run: (compiled, context) => handler?.reply?.(compiled, reply, context) ?? passedOver,
    ...(handler?.readsTextsForReply === false && { codes: noCodes }),
  })
  turn.journal?.judged(verdict ?? passedOver)
  return verdict ?? passedOver
}

interface JudgedReply {
  readonly reply: Reply | undefined
  readonly verdict: ReplyResult
}

function* applyReplyResult(
  turn: Turn,
  block: CompiledBlock,
  { reply, verdict }: JudgedReply,
): Effects<CompiledBlock | undefined> {
  turn.tally?.judge(turn.countedName(block.id), verdict.outcome)
  if (verdict.outcome === 'refused') return yield* askAgain(turn, block)
  if (verdict.outcome === 'accepted' && reply) acceptReply(turn, block, { reply, verdict })
  const edgeId = verdict.outcome === 'accepted' ? verdict.edgeId : undefined
  return edgeId === undefined ? nextByDefault(turn, block) : followEdge(turn, block, edgeId)
}

/** Shows why the reply was refused, and the same input again. */
function* askAgain(turn: Turn, block: CompiledBlock): Effects<undefined> {
  const { handler } = block
  const { invalidMessage } = turn.currentFrame.program
  const { defaultRetryMessage } = handler ?? {}
  const usual = defaultTexts(localeOf(turn.conversation))
  const text =
    (yield* ownRetryMessage(turn, block)) ??
    (defaultRetryMessage && usual[defaultRetryMessage]) ??
    (invalidMessage && (yield* renderRetryMessage(turn, block, invalidMessage))) ??
    usual.invalid
  const content = textContent([text], turn.textBubbleContentFormat)
  transcribeLine(turn, 'assistant', text)
  const message = new JsonFragment({ id: block.id, type: 'text' as const, content })
  turn.output.show(message)
  const step = yield* runHandler<Step>(turn, {
    block,
    run: (compiled, context) => handler?.run(compiled, context) ?? {},
  })
  if (step?.input) turn.output.ask(step.input)
  if (step?.payment) turn.conversation.payment = step.payment
  turn.journal?.produced({ message, ...(step?.input && { input: step.input }) })
  turn.journal?.went({ why: 'refused' })
  turn.conversation.waitingBlock = block
  return undefined
}

function* ownRetryMessage(turn: Turn, block: CompiledBlock): Effects<string | undefined> {
  const { handler } = block
  if (!handler?.retryMessage) return undefined
  const run = (compiled: unknown, context: RunContext) => ({
    text: handler.retryMessage?.(compiled, context),
  })
  return (yield* runHandler(turn, { block, run }))?.text
}

/** The text of the flow for refused replies. */
function* renderRetryMessage(
  turn: Turn,
  block: CompiledBlock,
  template: TextTemplate,
): Effects<string | undefined> {
  const run = (_: unknown, context: RunContext) => ({ text: renderText(template, context) })
  return (yield* runHandler(turn, { block, codes: template.codes, run }))?.text
}

interface AcceptedReply {
  readonly reply: Reply
  readonly verdict: ReplyResult & { readonly outcome: 'accepted' }
}

function acceptReply(turn: Turn, block: CompiledBlock, { reply, verdict }: AcceptedReply): void {
  const { content } = verdict
  const { currentFrame, conversation, output } = turn
  const attached = reply.type === 'text' ? (reply.attachedFileUrls ?? []) : []
  for (const item of verdict.items ?? []) turn.tally?.take(turn.countedName(block.id), { item })
  for (const assignment of verdict.assignments ?? []) assign(turn, assignment)
  const variableId = block.handler?.answerVariableId?.(block.compiled)
  if (variableId !== undefined && reply.type === 'text') {
    const held = currentFrame.variables.get(variableId)
    const isList = typeof held === 'object' && held !== null
    assign(turn, { variableId, value: isList && content !== '' ? [...held, content] : content })
  }
  const key = answerKey(currentFrame, block, variableId)
  currentFrame.answers.delete(key)
  currentFrame.answers.set(key, withFiles(content, reply))
  conversation.acceptedReplies += 1
  const payment = conversation.payment?.blockId === block.id ? conversation.payment : undefined
  if (payment) conversation.payment = undefined
  const files = attached.length > 0 && { attachedFileUrls: attached }
  if (!payment?.isPaid) {
    output.answers.push({ resultId: currentFrame.resultId, part: { blockId: block.id, content, ...files } })
  }
  // An event may have kept the reply of an earlier request.
  const isLast = reply === turn.input
  if (isLast && reply.type === 'text' && reply.text !== content) output.lastMessageNewFormat = content
}

/** The name under which an answer is known: that of its variable, else the title of its group, counted. */
function answerKey({ variables }: Frame, block: CompiledBlock, variableId: string | undefined): string {
  const name = variableId === undefined ? undefined : variables.table.byId(variableId)?.name
  if (name !== undefined) return name
  const { title, blocks } = block.group
  if (title === '') return block.id
  const inputs = blocks.filter(({ handler }) => handler?.kind === 'input')
  const nth = inputs.indexOf(block)
  return nth > 0 ? `${title} (${nth})` : title
}
