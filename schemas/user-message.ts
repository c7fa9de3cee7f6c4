import type { Static } from '@sinclair/typebox'
import { taggedUnion } from './tagged-union.ts'
import { Type } from './type.ts'

const TextReply = Type.Object({
  type: Type.Literal('text'),
  text: Type.String({ examples: ['Ada'] }),
  attachedFileUrls: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 })),
  metadata: Type.Optional(
    Type.Object({
      replyId: Type.Optional(
        Type.String({ description: 'The id of the chosen item, which distinguishes items of one label' }),
      ),
    }),
  ),
})

const AudioReply = Type.Object({
  type: Type.Literal('audio'),
  url: Type.String({ description: 'Where the voice clip is' }),
})

const Command = Type.Object({
  type: Type.Literal('command'),
  command: Type.String({ description: 'The command of the event to trigger' }),
})

const MessageObject = taggedUnion([TextReply, AudioReply, Command], { $id: 'MessageObject' })

/**
 * A visitor's message (docs/api.md 2.1): an object, or bare text, which equals `{type: "text", text}`.
 *
 * A condition instead of a union of text and object, so that a wrong field is reported once.
 */
export const UserMessage = Type.Unsafe<string | Static<typeof MessageObject>>({
  $id: 'UserMessage',
  description: 'What a visitor says: an object, or bare text, which equals {type: "text", text}.',
  type: ['string', 'object'],
  ...objectBranch(),
  examples: ['Ada', { type: 'text', text: 'Ada' }],
})
export type UserMessage = Static<typeof UserMessage>

/** A visitor's message during a conversation; null, like absence, continues without a message. */
export const NextUserMessage = Type.Unsafe<UserMessage | null>({
  $id: 'NextUserMessage',
  description: 'What a visitor says; null, like absence, is to go on without a word.',
  type: ['string', 'object', 'null'],
  ...objectBranch(),
  examples: ['Ada', { type: 'text', text: 'Ada' }, null],
})

function objectBranch() {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: { type: 'object' }, then: MessageObject }
}
