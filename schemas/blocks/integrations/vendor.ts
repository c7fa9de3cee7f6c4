import { type Static, Type } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'

/** The types that need an account at their vendor, or a place to keep files. */
export const vendorTypes = [
  'dify-ai',
  'chat-node',
  'elevenlabs',
  'nocodb',
  'segment',
  'posthog',
  'zendesk',
  'blink',
  'gmail',
  'qr-code',
] as const

/** Calls a vendor's service. Accepted in definitions; not available on this server. */
export const VendorBlock = Type.Object({
  ...blockBase,
  type: StringEnum(vendorTypes),
  options: Type.Optional(
    PartialObject({
      credentialsId: Id,
      action: Type.String({
        description: 'Selects which further options count, more of them than are listed here',
        examples: ['Send Message', 'Track', 'Generate a QR Code'],
      }),
      botId: Type.String({ description: '`chat-node`' }),
      threadId: Type.String({ description: '`chat-node`' }),
      message: Type.String({ description: '`chat-node`' }),
      text: Type.String({ description: '`elevenlabs`: what to say' }),
      voiceId: Type.String({ description: '`elevenlabs`' }),
      modelId: Type.String({ description: '`elevenlabs`' }),
      data: Type.String({ description: '`qr-code`: what it encodes' }),
      saveUrlInVariableId: Id,
      returnType: StringEnum(['All', 'First', 'Last', 'Random'], { description: '`nocodb`' }),
      userId: Type.String({ description: '`zendesk`' }),
      name: Type.String({ description: '`zendesk`' }),
      email: Type.String({ description: '`zendesk`' }),
      webWidgetKey: Type.String({ description: '`zendesk`' }),
    }),
  ),
})
export type VendorBlock = Static<typeof VendorBlock>
