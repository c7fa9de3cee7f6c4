import type { Static } from '@sinclair/typebox'
import { blockBase, itemBase } from '../../common.ts'
import { Condition } from '../../condition.ts'
import { Type } from '../../type.ts'

/** Leaves by the first of its items that holds, else by its own edge. */
export const ConditionBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Condition'),
  items: Type.Optional(
    Type.Array(Type.Object({ ...itemBase, content: Type.Optional(Condition) }), {
      description: 'Tested in this order; an item without content never holds',
    }),
  ),
})
export type ConditionBlock = Static<typeof ConditionBlock>
