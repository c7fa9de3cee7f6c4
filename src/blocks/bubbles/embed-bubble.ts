import { EmbedBubbleBlock, EmbedMessage } from '../../../schemas/blocks/bubbles.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { decodeClientValue } from '../decode-client-value.ts'
import { compileNumberOrVariable } from '../number-or-variable.ts'
import { pickListed } from './listed-content.ts'
import { type ShowBubble, showMessage, showNothing } from './message-step.ts'

interface CompiledEmbed {
  readonly show: ShowBubble
  /** Receives what the page sends along with its event. */
  readonly variableId: string | undefined
}

const addressAt = (pointer: string) => (pointer === '/url' ? 'link' : undefined)

/** Frames a page, and waits for its event when the block says so (docs/behaviour/bubbles.md, "Embed bubble"). */
export const embedBubble = defineBlock<EmbedBubbleBlock, CompiledEmbed>({
  types: [EmbedBubbleBlock.properties.type.const],
  kind: 'bubble',
  compile({ id, type, content }, context) {
    if (!content) return { show: showNothing, variableId: undefined }
    const { height: givenHeight, ...rest } = content
    const known = pickListed(EmbedMessage.properties.content, rest) as EmbedMessage['content']
    const template = context.json(known, '/content', addressAt)
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
  isPassThrough: ({ content }) => content?.waitForEvent?.isEnabled !== true,
  marks: { leaves: 'by edge or below', isClientOnly: () => true },
  handleClientReply: ({ variableId }, text) =>
    variableId ? { assignments: [{ variableId, value: decodeClientValue(text) }] } : {},
})
