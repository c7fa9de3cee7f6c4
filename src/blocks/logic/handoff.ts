import { HandoffBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { ask } from '../../engine/model/effects.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { textContent } from '../../engine/turn/person-words.ts'
import { durationMs } from '../../engine/values/duration.ts'

interface Handoff {
  readonly id: string
  readonly reason: TextTemplate
  readonly who: TextTemplate
  readonly message: TextTemplate
  /** Undefined for no deadline. */
  readonly withinMs: number | undefined
}

/** Longer names and reasons are cut. */
const longest = { who: 100, reason: 1000 }

/** Pauses the conversation for a person (docs/behaviour/handoff.md, "Handoff"). */
export const handoff = defineBlock<HandoffBlock, Handoff>({
  schema: HandoffBlock,
  kind: 'logic',
  compile({ id, options = {} }, context) {
    const { reason = '', who = '', message = '', deadline } = options
    return {
      id,
      reason: context.text(reason, '/options/reason'),
      who: context.text(who, '/options/who'),
      message: context.text(message, '/options/message'),
      withinMs: deadline === undefined ? undefined : durationMs(deadline),
    }
  },
  *run({ id, withinMs, ...texts }, context) {
    const since = yield* ask({ type: 'now' })
    const said = context.text(texts.message).trim()
    const { textBubbleContentFormat } = context
    const content = textContent(said.split('\n'), textBubbleContentFormat)
    const message = new JsonFragment({ id, type: 'text' as const, content })
    message.transcriptLine(() => said)
    return {
      ...(said !== '' && { message }),
      next: {
        to: 'hand over',
        pause: {
          since,
          reason: context.text(texts.reason).trim().slice(0, longest.reason).toWellFormed() || undefined,
          who: context.text(texts.who).trim().slice(0, longest.who).toWellFormed() || undefined,
          until: withinMs === undefined ? undefined : since + withinMs,
          isByFlow: true,
          isAwaited: true,
          isMarkdown: textBubbleContentFormat === 'markdown' || undefined,
        },
      },
    }
  },
  itemEdgeIds: ({ items = [] }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  marks: { handsOver: true },
})
