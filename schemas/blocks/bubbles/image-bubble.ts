import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

const url = Type.String({
  description: 'Address or `data:` URI of the picture',
  examples: ['https://cdn.example/{{Sku}}.png'],
})

const clickLink = {
  url: Type.String({ description: 'Where a click leads' }),
  alt: Type.String({ description: 'Alternative text of the picture; clients have one of their own' }),
}

/** A picture, with or without a link. */
export const ImageBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('image'),
  content: Type.Optional(PartialObject({ url, clickLink: PartialObject(clickLink) })),
})
export type ImageBubbleBlock = Static<typeof ImageBubbleBlock>

/** A picture as a client shows it; `clickLink` makes it a link. */
export const ImageMessage = ClosedObject({
  id: Id,
  type: Type.Literal('image'),
  content: Type.Partial(ClosedObject({ url, clickLink: Type.Partial(ClosedObject(clickLink)) })),
})
export type ImageMessage = Static<typeof ImageMessage>
