import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, NumberOrVariable, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const content = {
  url: Type.String({
    description:
      'For a provider that is recognised, only the recognised part: players are built from `type` and `id`',
    examples: ['https://youtu.be/dQw4w9WgXcQ?t=43'],
  }),
  type: StringEnum(['url', 'youtube', 'vimeo', 'tiktok', 'gumlet'], {
    description: 'Told from the address when it is not empty',
  }),
  id: Type.String({ description: "The provider's own id of the video" }),
  aspectRatio: Type.String({ examples: ['16/9'] }),
  maxWidth: Type.String({ description: 'CSS length; clients take 100% when absent', examples: ['560px'] }),
  queryParamsStr: Type.String({
    description: 'Appended to the address of the player',
    examples: ['?start=43'],
  }),
  areControlsDisplayed: Type.Boolean({ description: 'For `type` `url` only; clients take true when absent' }),
  isAutoplayEnabled: Type.Boolean({ description: 'Clients take true when absent' }),
}

const height = 'Pixels, used without an `aspectRatio`; clients take 400 when absent'

/** A video: a file, or a page of a provider. */
export const VideoBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('video'),
  content: Type.Optional(PartialObject({ ...content, height: { ...NumberOrVariable, description: height } })),
})
export type VideoBubbleBlock = Static<typeof VideoBubbleBlock>

/** A video as a client shows it, with its provider. */
export const VideoMessage = ClosedObject({
  id: Id,
  type: Type.Literal('video'),
  content: Type.Partial(ClosedObject({ ...content, height: Type.Number({ description: height }) })),
})
export type VideoMessage = Static<typeof VideoMessage>
