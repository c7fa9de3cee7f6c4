import type { Static } from '@sinclair/typebox'
import { AudioMessage, EmbedMessage, ImageMessage, TextMessage, VideoMessage } from './blocks/bubbles.ts'
import { ClosedObject, Id } from './common.ts'
import { withCustom } from './custom.ts'
import { taggedUnion } from './tagged-union.ts'
import { Type } from './type.ts'

const BrowserFunction = ClosedObject({
  args: Type.Record(Type.String(), Type.Unknown()),
  content: Type.String(),
})

/** A widget that the client builds by running code; no bubble block makes one. */
const CustomEmbedMessage = ClosedObject({
  id: Id,
  type: Type.Literal('custom-embed'),
  content: ClosedObject({
    url: Type.Optional(Type.String()),
    initFunction: BrowserFunction,
    waitForEventFunction: Type.Optional(BrowserFunction),
  }),
})

/** Something to show (docs/api.md 2.8). */
export const Message = taggedUnion(
  withCustom([TextMessage, ImageMessage, VideoMessage, AudioMessage, EmbedMessage, CustomEmbedMessage]),
  { $id: 'Message', description: 'Something to show. Ids are not unique: a loop can show one block twice.' },
)
export type Message = Static<typeof Message>
