import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { vendorOptions } from './common.ts'

/** Opens the help desk's widget in the browser. */
export const ZendeskBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('zendesk'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Open Web Widget'),
      userId: Type.String({ description: 'Logs the visitor in as this user' }),
      name: Type.String(),
      email: Type.String(),
      isEmailVerified: Type.Boolean({
        description: 'Whether the address is known to be that of the visitor. Default false',
      }),
      webWidgetKey: Type.String({ description: 'Names the widget' }),
    }),
  ),
})
export type ZendeskBlock = Static<typeof ZendeskBlock>
