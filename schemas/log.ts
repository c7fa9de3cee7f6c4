import type { Static } from '@sinclair/typebox'
import { ClosedObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

/** What happened on a walk that its author should know (docs/api.md 2.11). */
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
