import type { Static } from '@sinclair/typebox'
import { ClosedObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

/** Event of a walk that concerns the author of the flow (docs/api.md 2.11). */
export const Log = ClosedObject(
  {
    status: Type.Optional(StringEnum(['error', 'info', 'success'])),
    description: Type.String(),
    details: Type.Optional(Type.String()),
    context: Type.Optional(Type.String()),
  },
  { $id: 'Log' },
)
export type Log = Static<typeof Log>
