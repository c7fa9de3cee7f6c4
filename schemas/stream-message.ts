import type { Static } from '@sinclair/typebox'
import { Type } from './type.ts'

/** Body of a request for a stream. */
export const StreamMessageBody = Type.Object(
  {
    messages: Type.Optional(
      Type.Unknown({ description: 'Has no effect: the flow says what a model is asked' }),
    ),
  },
  { examples: [{}] },
)
export type StreamMessageBody = Static<typeof StreamMessageBody>

/** Lines of a stream, one record each: `<code>:<JSON>`. */
export const StreamedRecords = Type.String({
  description:
    '`0:` a piece of text, `3:` a text that holds the JSON of what went wrong, `d:` the end and its reason',
  examples: ['0:"9 to"\n0:" 5."\nd:{"finishReason":"stop"}\n'],
})
