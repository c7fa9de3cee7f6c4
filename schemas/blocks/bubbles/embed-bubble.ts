import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, NumberOrVariable, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

const url = Type.String({ examples: ['https://sign.example/{{Doc}}'] })

const height = 'Pixels; clients take 400 when absent'

const waitForEvent = {
  isEnabled: Type.Boolean({ description: 'Whether the flow waits here until the page sends its event' }),
  name: Type.String({ description: 'Name of the event', examples: ['signed'] }),
  saveDataInVariableId: Type.String({ description: 'Receives the data of the event' }),
}

/** A page in a frame, which the flow may wait for. */
export const EmbedBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('embed'),
  content: Type.Optional(
    PartialObject({
      url,
      height: { ...NumberOrVariable, description: height },
      waitForEvent: PartialObject(waitForEvent),
    }),
  ),
})
export type EmbedBubbleBlock = Static<typeof EmbedBubbleBlock>

/** A page as a client frames it; with `waitForEvent.isEnabled` the session goes on when its event arrives. */
export const EmbedMessage = ClosedObject({
  id: Id,
  type: Type.Literal('embed'),
  content: Type.Partial(
    ClosedObject({
      url,
      height: Type.Number({ description: height }),
      waitForEvent: Type.Partial(ClosedObject(waitForEvent)),
    }),
  ),
})
export type EmbedMessage = Static<typeof EmbedMessage>
