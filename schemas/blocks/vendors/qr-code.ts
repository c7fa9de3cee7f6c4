import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Makes a QR code, and keeps its address in a variable. */
export const QrCodeBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('qr-code'),
  options: Type.Optional(
    PartialObject({
      action: Type.String({ examples: ['Generate a QR Code'] }),
      data: Type.String({ description: 'What the code holds', examples: ['https://shop.example/{{Order}}'] }),
      saveUrlInVariableId: Id,
    }),
  ),
})
export type QrCodeBlock = Static<typeof QrCodeBlock>
