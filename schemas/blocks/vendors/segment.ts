import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { KeyValueRows, vendorOptions } from './common.ts'

/** Reports to Segment who a visitor is, or what happened. */
export const SegmentBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('segment'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Identify User', 'Alias', 'Page', 'Track'),
      userId: Type.String(),
      email: Type.String({ description: '`Identify User`' }),
      traits: KeyValueRows,
      previousId: Type.String({ description: '`Alias`: the id that becomes `userId`' }),
      name: Type.String({ description: '`Page`' }),
      category: Type.String({ description: '`Page`' }),
      eventName: Type.String({ description: '`Track`' }),
      properties: KeyValueRows,
    }),
  ),
})
export type SegmentBlock = Static<typeof SegmentBlock>
