import type { Static } from '@sinclair/typebox'
import { blockBase } from '../../common.ts'
import { Type } from '../../type.ts'

/** Goes back behind the last jump; without one it has no effect. */
export const ReturnBlock = Type.Object({ ...blockBase, type: Type.Literal('Return') })
export type ReturnBlock = Static<typeof ReturnBlock>
