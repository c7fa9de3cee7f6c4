import type { Static } from '@sinclair/typebox'
import { ClosedObject, Locale } from './common.ts'
import { sampleOutput, sampleSessionId } from './samples.ts'
import { IdempotencyHeaders, JoinsUntil, outputFields, TextBubbleContentFormat } from './start-chat.ts'
import { TurnTrace } from './trace.ts'
import { Type } from './type.ts'
import { NextUserMessage } from './user-message.ts'

/** The path of everything about a session. */
export const SessionParams = Type.Object({
  sessionId: Type.String({
    description: 'The id that the start returned; it is a secret, as anyone with it may continue',
    examples: [sampleSessionId],
  }),
})

/** The headers of a continue (docs/api.md, "Versions of a session"). Names are in lower case. */
export const ContinueHeaders = Type.Object({
  ...IdempotencyHeaders.properties,
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `etag` of the answer that the visitor replies to: where the session has gone on since, the reply is refused with 412. `*` for any',
      examples: ['"3-mib2qk1c"'],
    }),
  ),
})

/** Body of a continue (docs/api.md 2.12). */
export const ContinueChatBody = Type.Object(
  {
    message: Type.Optional(NextUserMessage),
    textBubbleContentFormat: Type.Optional(TextBubbleContentFormat),
    locale: Type.Optional({
      ...Locale,
      description:
        'Changes the language of the conversation from now on. Without a message nothing is answered: the question that waits is said again',
    }),
    setVariables: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Previews only: values by the name of the variable, set before the message is handed over. At most 65,536 characters together; names that the flow does not declare are ignored',
        examples: [{ Age: 17 }],
      }),
    ),
  },
  { examples: [{ message: 'Ada' }, { message: null }, {}] },
)
export type ContinueChatBody = Static<typeof ContinueChatBody>

/** Response to a continue (docs/api.md 2.13). Absent fields are missing, never null. */
export const ContinueChatResponse = ClosedObject(
  {
    ...outputFields,
    joinsUntil: Type.Optional(JoinsUntil),
    locale: Type.Optional(
      Type.String({ description: 'The language of the flow from now on; present where one was asked for' }),
    ),
    trace: Type.Optional(TurnTrace),
  },
  { $id: 'ContinueChatResponse', examples: [sampleOutput] },
)
