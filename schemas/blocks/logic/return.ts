import { type Static, Type } from '@sinclair/typebox'
import { blockBase } from '../../common.ts'

/** Goes back behind the last jump; without one it has no effect. */
export const ReturnBlock = Type.Object({ ...blockBase, type: Type.Literal('Return') })
export type ReturnBlock = Static<typeof ReturnBlock>
