import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Sends the visitor to an address; the walk goes on. */
export const RedirectBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Redirect'),
  options: Type.Optional(
    PartialObject({
      url: Type.String({
        description: 'May hold placeholders. Without a scheme, `https://` is put before it',
        examples: ['https://shop.example/orders/{{Order}}'],
      }),
      isNewTab: Type.Boolean({ description: 'Default false, applied by the client' }),
    }),
  ),
})
export type RedirectBlock = Static<typeof RedirectBlock>
