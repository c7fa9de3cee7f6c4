import type { Static } from '@sinclair/typebox'
import { ClosedObject } from './common.ts'
import { Type } from './type.ts'

/** Response once a session is on the published version (docs/api.md 4.5). */
export const UpdateFlowResponse = ClosedObject(
  { message: Type.Literal('success') },
  { examples: [{ message: 'success' }] },
)
export type UpdateFlowResponse = Static<typeof UpdateFlowResponse>
