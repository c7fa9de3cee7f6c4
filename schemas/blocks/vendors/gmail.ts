import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { ResponseItems, vendorOptions } from './common.ts'

/** Sends a mail from a mailbox of Gmail. */
export const GmailBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('gmail'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Send email'),
      to: Type.String({ description: 'One address', examples: ['{{Email}}'] }),
      subject: Type.String(),
      body: Type.String(),
      attachments: Type.Unsafe<string>({ ...Id, description: 'A variable that holds addresses of uploads' }),
      label: Type.String({ description: 'The id of a label in the mailbox' }),
      from: Type.String({ description: 'One of the addresses of the mailbox' }),
      threadId: Type.String({ description: 'The conversation that the mail answers in' }),
      replyTo: Type.String(),
      responseMapping: ResponseItems('`Thread ID` (the default) or `Message ID`'),
    }),
  ),
})
export type GmailBlock = Static<typeof GmailBlock>
