import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { vendorOptions } from './common.ts'

/** Has a text said by ElevenLabs, and keeps the recording. */
export const ElevenlabsBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('elevenlabs'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Convert text to speech'),
      text: Type.String({ examples: ['Welcome, {{Name}}'] }),
      voiceId: Type.String({ examples: ['21m00Tcm4TlvDq8ikWAM'] }),
      modelId: Type.String({ description: "Default: the vendor's" }),
      saveUrlInVariableId: Id,
    }),
  ),
})
export type ElevenlabsBlock = Static<typeof ElevenlabsBlock>
