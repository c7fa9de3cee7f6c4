import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

const content = {
  url: Type.String({ examples: ['https://cdn.example/{{Lang}}/hi.mp3'] }),
  isAutoplayEnabled: Type.Boolean({ description: 'Clients take true when absent' }),
}

/** A sound. */
export const AudioBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('audio'),
  content: Type.Optional(PartialObject(content)),
})
export type AudioBubbleBlock = Static<typeof AudioBubbleBlock>

/** A sound as a client plays it. */
export const AudioMessage = ClosedObject({
  id: Id,
  type: Type.Literal('audio'),
  content: Type.Partial(ClosedObject(content)),
})
export type AudioMessage = Static<typeof AudioMessage>
