import { assign } from './assign.ts'
import type { Frame } from './conversation.ts'
import type { Effects } from './effects.ts'
import { attempt, guarded } from './guarded.ts'
import { Piece } from './piece.ts'
import type { CompiledBlock } from './program.ts'
import type { Reply, Step, Verdict } from './step.ts'
import { renderText } from './text-template.ts'
import type { Turn } from './turn.ts'
import { follow, leaveByDefault, walk } from './walk.ts'

const defaultInvalidMessage = 'Invalid message. Please, try again.'

/** Whether a message that came with a start can be meant for the input that the walk stopped at. */
export function canAnswer({ output, conversation }: Turn): boolean {
  const handler = conversation.waitingBlock?.handler
  return output.messages.length === 0 && output.input !== undefined && handler?.showsChoices !== true
}

/** Hands a reply to the waiting input, and walks on unless it is refused (docs/behaviour.md, "Replies"). */
export function* answer(turn: Turn, reply: Reply): Effects<void> {
  const block = turn.conversation.waitingBlock
  if (!block?.handler?.reply) return
  const { handler } = block
  const judged = yield* guarded<Verdict>(
    turn,
    block,
    () => handler.reply?.(block.compiled, reply, turn.contextOf(block)) ?? { outcome: 'skipped' },
  )
  const verdict: Verdict = judged ?? { outcome: 'skipped' }
  if (verdict.outcome === 'refused') return yield* askAgain(turn, block)
  turn.output.input = undefined
  if (verdict.outcome === 'accepted') accept(turn, block, { reply, verdict })
  const edgeId = verdict.outcome === 'accepted' ? verdict.edgeId : undefined
  yield* walk(turn, edgeId === undefined ? leaveByDefault(turn, block) : follow(turn, block, edgeId))
}

/** Shows why the reply was refused, and the same input again. */
function* askAgain(turn: Turn, block: CompiledBlock): Effects<void> {
  const context = turn.contextOf(block)
  const { invalidMessage } = turn.front.program
  const text =
    attempt(turn, block, () => block.handler?.retryMessage?.(block.compiled, context)) ??
    (invalidMessage ? renderText(invalidMessage, context) : defaultInvalidMessage)
  const content =
    turn.textBubbleContentFormat === 'markdown'
      ? { type: 'markdown' as const, markdown: text }
      : { type: 'richText' as const, richText: [{ type: 'p', children: [{ text }] }] }
  turn.show(new Piece({ id: block.id, type: 'text' as const, content }))
  const step = yield* guarded<Step>(turn, block, () => block.handler?.run(block.compiled, context) ?? {})
  if (step?.input) turn.ask(step.input)
}

interface AcceptedReply {
  readonly reply: Reply
  readonly verdict: Verdict & { readonly outcome: 'accepted' }
}

function accept(turn: Turn, block: CompiledBlock, { reply, verdict }: AcceptedReply): void {
  const { content } = verdict
  const { front, conversation, output } = turn
  const attached = reply.type === 'text' ? (reply.attachedFileUrls ?? []) : []
  for (const assignment of verdict.assignments ?? []) assign(turn, assignment)
  const variableId = block.handler?.answerVariableId?.(block.compiled)
  if (variableId !== undefined && reply.type === 'text') {
    const held = front.variables.get(variableId)
    const isList = typeof held === 'object' && held !== null
    assign(turn, { variableId, value: isList && content !== '' ? [...held, content] : content })
  }
  const key = answerKey(front, block, variableId)
  const said = attached.length > 0 ? `${attached.join(', ')}\n\n${content}` : content
  front.answers.delete(key)
  front.answers.set(key, said)
  conversation.answered += 1
  conversation.transcript?.push(`User: "${said}"`)
  const files = attached.length > 0 && { attachedFileUrls: attached }
  output.answers.push({ resultId: front.resultId, blockId: block.id, content, ...files })
  if (reply.type === 'text' && reply.text !== content) output.lastMessageNewFormat = content
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
