import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { KeyValueRows, vendorOptions } from './common.ts'

/** Reports an event to PostHog. */
export const PosthogBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('posthog'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Capture', 'Identify Group'),
      isAnonymous: Type.Boolean({ description: '`Capture`: an event without a profile of the visitor' }),
      distinctId: Type.String({ description: 'Who the event is about' }),
      event: Type.String({ description: '`Capture`', examples: ['Signed up'] }),
      properties: KeyValueRows,
      personProperties: KeyValueRows,
      groups: Type.Array(PartialObject({ id: Id, type: Type.String(), key: Type.String() })),
      groupType: Type.String({ description: '`Identify Group`', examples: ['company'] }),
      groupKey: Type.String({ description: '`Identify Group`' }),
    }),
  ),
})
export type PosthogBlock = Static<typeof PosthogBlock>
