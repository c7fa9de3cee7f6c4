import { VideoBubbleBlock, VideoMessage } from '../../../schemas/blocks/bubbles.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { compileNumberOrVariable } from '../number-or-variable.ts'
import { pickListed } from './listed-content.ts'
import { type ShowBubble, showMessage, showNothing } from './message-step.ts'
import { recogniseVideo } from './video-providers.ts'

const addressAt = (pointer: string) => (pointer === '/url' ? 'media' : undefined)

/** Shows a video, and derives its provider from the address (docs/behaviour/bubbles.md, "Video bubble"). */
export const videoBubble = defineBlock<VideoBubbleBlock, ShowBubble>({
  types: [VideoBubbleBlock.properties.type.const],
  kind: 'bubble',
  compile({ id, type, content }, context) {
    if (!content) return showNothing
    const { height: givenHeight, ...rest } = content
    const known = pickListed(VideoMessage.properties.content, rest) as VideoMessage['content']
    const template = context.json(known, '/content', addressAt)
    const height = compileNumberOrVariable(givenHeight, context, '/content/height')
    return showMessage(template.constant !== undefined && height.isConstant, (run) => {
      const pixels = height.render(run)
      const shown = recognised(run.render(template).value)
      return { id, type, content: { ...shown, ...(pixels !== undefined && { height: pixels }) } }
    })
  },
  run: (show, context) => show(context),
  isPassThrough: () => true,
  marks: { changesNothing: true },
  transcriptLine: ({ content }) => content.url,
})

/** With an address, what it says about the provider replaces what the definition says. */
function recognised(content: VideoMessage['content']): VideoMessage['content'] {
  if (!content.url) return content
  const video = recogniseVideo(content.url)
  if (video.type !== 'youtube') return { ...content, ...video }
  const { queryParamsStr: _, ...rest } = content
  return { ...rest, ...video }
}
