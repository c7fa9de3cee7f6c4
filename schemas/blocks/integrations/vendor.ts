import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

/** The types that need an account at their vendor, or a place to keep files. */
export const vendorTypes = ['elevenlabs', 'gmail'] as const

/** Calls a vendor's service. Accepted in definitions; not available on this server. */
export const VendorBlock = Type.Object({
  ...blockBase,
  type: StringEnum(vendorTypes),
  options: Type.Optional(
    PartialObject({
      credentialsId: Id,
      action: Type.String({
        description: 'Selects which further options count, more of them than are listed here',
        examples: ['Convert text to speech', 'Send email'],
      }),
      text: Type.String({ description: '`elevenlabs`: what to say' }),
      voiceId: Type.String({ description: '`elevenlabs`' }),
      modelId: Type.String({ description: '`elevenlabs`' }),
      saveUrlInVariableId: Id,
    }),
  ),
})
export type VendorBlock = Static<typeof VendorBlock>
