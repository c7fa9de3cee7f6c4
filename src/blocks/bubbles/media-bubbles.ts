import type { Static, TObject } from '@sinclair/typebox'
import {
  AudioBubbleBlock,
  AudioMessage,
  EmbedBubbleBlock,
  EmbedMessage,
  ImageBubbleBlock,
  ImageMessage,
  VideoBubbleBlock,
  VideoMessage,
} from '../../../schemas/blocks/bubbles.ts'
import type { Message } from '../../../schemas/message.ts'
import {
  type BlockHandler,
  type BlockSchema,
  type CompileContext,
  defineBlock,
  type RunContext,
} from '../../engine/model/block-handler.ts'
import type { AddressUse } from '../../engine/templates/url-policy.ts'
import { decodeClientValue } from '../json-texts.ts'
import { compileNumberOrVariable } from '../number-or-variable.ts'
import { pickListed, type ShowBubble, showMessage, showNothing } from './message-step.ts'

/** Media that is shown as its author filled it in, under an address. */
type MediaBlock = Static<typeof ImageBubbleBlock> | Static<typeof AudioBubbleBlock>

const addresses = new Map([
  ['/url', 'media'],
  ['/clickLink/url', 'link'],
] as const) as ReadonlyMap<string, AddressUse>

/** A bubble whose message is its content, with the values of variables. */
function mediaBubble(schema: BlockSchema<MediaBlock>, content: TObject): BlockHandler {
  return defineBlock<MediaBlock, ShowBubble>({
    schema,
    kind: 'bubble',
    compile({ id, type, ...block }, context) {
      if (!block.content) return showNothing
      const known = pickListed(content, block.content)
      const template = context.json(known, '/content', (pointer) => addresses.get(pointer))
      return showMessage(
        template.constant !== undefined,
        ({ render }) => ({ id, type, content: render(template).value }) as Message,
      )
    },
    run: (show, context) => show(context),
    isPassThrough: () => true,
    marks: { changesNothing: true },
    transcriptLine: (message) => message.content.url,
  })
}

/** Plays a sound (docs/behaviour/bubbles.md, "Audio bubble"). */
export const audioBubble = mediaBubble(AudioBubbleBlock, AudioMessage.properties.content)

/** Shows a picture (docs/behaviour/bubbles.md, "Image bubble"). */
export const imageBubble = mediaBubble(ImageBubbleBlock, ImageMessage.properties.content)

/** Shows a video, and derives its provider from the address (docs/behaviour/bubbles.md, "Video bubble"). */
export const videoBubble = defineBlock<VideoBubbleBlock, ShowBubble>({
  schema: VideoBubbleBlock,
  kind: 'bubble',
  compile({ id, type, content }, context) {
    if (!content) return showNothing
    const { isConstant, render } = compileFrame<VideoMessage['content']>(
      content,
      { schema: VideoMessage.properties.content, use: 'media' },
      context,
    )
    return showMessage(isConstant, (run) => ({ id, type, content: render(run, recognised) }))
  },
  run: (show, context) => show(context),
  isPassThrough: () => true,
  marks: { changesNothing: true },
  transcriptLine: ({ content }) => content.url,
})

interface CompiledEmbed {
  readonly show: ShowBubble
  /** Receives what the page sends along with its event. */
  readonly variableId: string | undefined
}

/** Frames a page, and waits for its event when the block says so (docs/behaviour/bubbles.md, "Embed bubble"). */
export const embedBubble = defineBlock<EmbedBubbleBlock, CompiledEmbed>({
  schema: EmbedBubbleBlock,
  kind: 'bubble',
  compile({ id, type, content }, context) {
    if (!content) return { show: showNothing, variableId: undefined }
    const { isConstant, render } = compileFrame<EmbedMessage['content']>(
      content,
      { schema: EmbedMessage.properties.content, use: 'link' },
      context,
    )
    const make = (run: RunContext): EmbedMessage => ({ id, type, content: render(run) })
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

/** Prepares the content of a bubble with a height, which may be a variable. */
function compileFrame<Content extends object>(
  { height: givenHeight, ...rest }: { readonly height?: number | string },
  { schema, use }: { readonly schema: TObject; readonly use: AddressUse },
  context: CompileContext,
) {
  const known = pickListed(schema, rest) as Content
  const template = context.json(known, '/content', (pointer) => (pointer === '/url' ? use : undefined))
  const height = compileNumberOrVariable(givenHeight, context, '/content/height')
  return {
    isConstant: template.constant !== undefined && height.isConstant,
    render(run: RunContext, change = (content: Content) => content): Content {
      const pixels = height.render(run)
      const content = change(run.render(template).value)
      return { ...content, ...(pixels !== undefined && { height: pixels }) }
    },
  }
}

/** With an address, what it says about the provider replaces what the definition says. */
function recognised(content: VideoMessage['content']): VideoMessage['content'] {
  if (!content.url) return content
  const video = recogniseVideo(content.url)
  if (video.type !== 'youtube') return { ...content, ...video }
  const { queryParamsStr: _, ...rest } = content
  return { ...rest, ...video }
}

type Video = Required<Pick<VideoMessage['content'], 'type' | 'url'>> &
  Pick<VideoMessage['content'], 'id' | 'queryParamsStr'>

/**
 * The providers, in the order in which they are tried. The first group of a pattern is the id, the second the
 * parameters. No pattern can start twice within what it skips over, so a search is linear.
 */
const providers = [
  { type: 'youtube', pattern: /youtube\.com\/watch\?v=([\w-]+)/ },
  { type: 'youtube', pattern: /youtube\.com\/shorts\/([\w-]+)/ },
  { type: 'youtube', pattern: /youtu\.be\/([\w-]+)(\?[^\s#]+)?/ },
  { type: 'vimeo', pattern: /vimeo\.com\/(\d+)/ },
  { type: 'tiktok', pattern: /tiktok\.com\/@[^\s/]+\/video\/(\d+)/ },
  { type: 'gumlet', pattern: /gumlet\.(?:com|tv)\/watch\/(\w+)/ },
] as const

const oneDrive = 'https://onedrive.live.com/embed?'

/** Derives the provider of a video from its address; an unknown one is a file. */
function recogniseVideo(url: string): Video {
  for (const { type, pattern } of providers) {
    const match = pattern.exec(url)
    if (!match) continue
    const [part, id = '', params = ''] = match
    const queryParamsStr = playerParams(params)
    return { type, url: part, id, ...(queryParamsStr && { queryParamsStr }) }
  }
  return { type: 'url', url: url.includes(oneDrive) ? url.replace('/embed', '/download') : url }
}

/** Parameters of a shared address as the player wants them: it calls the moment to start at `start`. */
function playerParams(params: string): string {
  const search = new URLSearchParams(params)
  const start = search.get('t')
  if (start !== null) {
    search.delete('t')
    search.set('start', start)
  }
  return search.size > 0 ? `?${search}` : ''
}
