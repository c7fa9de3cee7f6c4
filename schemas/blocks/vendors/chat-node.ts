import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { ResponseItems, vendorOptions } from './common.ts'

/** Asks an assistant of ChatNode. */
export const ChatNodeBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('chat-node'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Send Message'),
      botId: Type.String({ description: 'The assistant that is asked' }),
      threadId: Type.String({ description: 'Continues this conversation; none begins a new one' }),
      message: Type.String({ examples: ['{{Question}}'] }),
      responseMapping: ResponseItems('`Message` (the default) or `Thread ID`'),
    }),
  ),
})
export type ChatNodeBlock = Static<typeof ChatNodeBlock>
