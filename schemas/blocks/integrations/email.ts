import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

const Addresses = Type.Array(Type.String({ examples: ['desk@shop.example', '{{Email}}'] }))

/** Sends a mail. All texts may hold placeholders. */
export const EmailBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Email'),
  options: Type.Optional(
    PartialObject({
      credentialsId: Type.String({ description: '`default` for the mail server of this service' }),
      recipients: Addresses,
      cc: Addresses,
      bcc: Addresses,
      replyTo: Type.String({ examples: ['Ada <ada@mail.example>'] }),
      subject: Type.String(),
      body: Type.String(),
      isCustomBody: Type.Boolean({ description: 'Default: true when there is a body' }),
      isBodyCode: Type.Boolean({ description: 'Whether the body is HTML. Default false' }),
      attachmentsVariableId: Id,
    }),
  ),
})
export type EmailBlock = Static<typeof EmailBlock>
