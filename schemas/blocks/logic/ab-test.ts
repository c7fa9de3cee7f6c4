import type { Static } from '@sinclair/typebox'
import { blockBase, itemBase, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const AbTestItem = Type.Object({
  ...itemBase,
  path: Type.Optional(StringEnum(['a', 'b'], { description: 'A label: the first item is a, the second b' })),
})

/** Draws one of two ways at each visit. */
export const AbTestBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('AB test'),
  items: Type.Array(AbTestItem, { minItems: 2, maxItems: 2 }),
  options: Type.Optional(
    PartialObject({
      aPercent: Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'How often the first way is taken, in percent. Default 50',
      }),
    }),
  ),
})
export type AbTestBlock = Static<typeof AbTestBlock>
