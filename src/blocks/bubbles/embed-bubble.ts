import { Clean, Clone } from '@sinclair/typebox/value'
import { EmbedBubbleBlock, EmbedMessage } from '../../../schemas/blocks/bubbles/embed-bubble.ts'
import { defineBlock } from '../../engine/block-handler.ts'
import { compileNumberOrVariable } from '../number-or-variable.ts'
import { type ShowBubble, showMessage, showNothing } from './message-step.ts'

interface Compiled {
  readonly show: ShowBubble
  /** Receives what the page sends along with its event. */
  readonly variableId: string | undefined
}

/** Frames a page, and waits for its event when told to (docs/behaviour.md, "Embed bubble"). */
export const embedBubble = defineBlock<EmbedBubbleBlock, Compiled>({
  types: [EmbedBubbleBlock.properties.type.const],
  kind: 'bubble',
  compile({ id, type, content }, context) {
    if (!content) return { show: showNothing, variableId: undefined }
    const { height: givenHeight, ...rest } = content
    const known = Clean(EmbedMessage.properties.content, Clone(rest)) as EmbedMessage['content']
    const template = context.json(known, '/content')
    const height = compileNumberOrVariable(givenHeight, context, '/content/height')
    const make = (run: Parameters<ShowBubble>[0]): EmbedMessage => {
      const pixels = height.render(run)
      return {
        id,
        type,
        content: { ...run.render(template).value, ...(pixels !== undefined && { height: pixels }) },
      }
    }
    const isConstant = template.constant !== undefined && height.isConstant
    const waits = content.waitForEvent?.isEnabled === true
    return {
      show: showMessage(isConstant, make, waits ? { to: 'wait' } : undefined),
      variableId: content.waitForEvent?.saveDataInVariableId,
    }
  },
  run: ({ show }, context) => show(context),
  alwaysPasses: ({ content }) => content?.waitForEvent?.isEnabled !== true,
  reply({ variableId }, reply) {
    if (reply?.type !== 'text') return { outcome: 'skipped' }
    const { text } = reply
    return {
      outcome: 'accepted',
      content: text,
      ...(variableId && { assignments: [{ variableId, value: parsed(text) }] }),
    }
  },
})

/** The data of an event comes as JSON; what is none is kept as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
