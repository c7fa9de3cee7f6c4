import type { Static } from '@sinclair/typebox'
import { blockBase, ClosedObject, Id, PartialObject } from '../../common.ts'
import { taggedUnion } from '../../tagged-union.ts'
import { Type } from '../../type.ts'

/** A text to show, as rich text: its nodes are looked at only as far as they are understood. */
export const TextBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('text'),
  content: Type.Optional(
    PartialObject({
      richText: Type.Array(Type.Unknown(), {
        description: 'Leaves `{ text, bold?, italic?, underline? }` and elements `{ type, children, url? }`',
        examples: [[{ type: 'p', children: [{ text: 'Hello {{Name}}' }] }]],
      }),
      html: Type.Unknown({ description: 'Left over from old flows: ignored' }),
      plainText: Type.Unknown({ description: 'Left over from old flows: ignored' }),
    }),
  ),
})
export type TextBubbleBlock = Static<typeof TextBubbleBlock>

/** A text bubble as a client shows it, in the format that the request asked for. */
export const TextMessage = ClosedObject({
  id: Id,
  type: Type.Literal('text'),
  content: taggedUnion(
    [
      ClosedObject({
        type: Type.Literal('richText'),
        richText: Type.Array(Type.Unknown(), { description: 'Leaves and elements, variables replaced' }),
      }),
      ClosedObject({
        type: Type.Literal('markdown'),
        markdown: Type.String({
          description: 'CommonMark that is not escaped: render it with HTML disabled',
        }),
      }),
    ],
    { $id: 'TextContent' },
  ),
})
export type TextMessage = Static<typeof TextMessage>
