import type { Static } from '@sinclair/typebox'
import { blockBase } from '../../common.ts'
import { Type } from '../../type.ts'

/** Start of a flow below version 6: the first block of its first group. Met on a walk it has no effect. */
export const StartBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('start'),
  label: Type.Optional(Type.String({ description: 'Shown by the editor', examples: ['Start'] })),
})
export type StartBlock = Static<typeof StartBlock>
