import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Goes on at another group of the flow, from where a Return block can come back. */
export const JumpBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Jump'),
  options: Type.Optional(
    PartialObject({
      groupId: Type.String({
        description: 'Id of a group, or exactly one placeholder that holds the title of a group',
        examples: ['gBasket', '{{Next group}}'],
      }),
      blockId: Type.String({ description: 'A block of that group. Default: its first block' }),
    }),
  ),
})
export type JumpBlock = Static<typeof JumpBlock>
