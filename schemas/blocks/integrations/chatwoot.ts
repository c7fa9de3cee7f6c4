import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

/** Opens or closes a live-chat widget in the browser. All texts may hold placeholders. */
export const ChatwootBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Chatwoot'),
  options: Type.Optional(
    PartialObject({
      task: StringEnum(['Show widget', 'Close widget'], { description: 'Default `Show widget`' }),
      baseUrl: Type.String({ description: 'Default https://app.chatwoot.com' }),
      websiteToken: Type.String(),
      user: PartialObject({
        id: Type.String({ description: 'Default: the email address, else the result id' }),
        email: Type.String(),
        name: Type.String(),
        avatarUrl: Type.String(),
        phoneNumber: Type.String(),
      }),
    }),
  ),
})
export type ChatwootBlock = Static<typeof ChatwootBlock>
