import type { Static } from '@sinclair/typebox'
import { Id, PartialObject } from './common.ts'
import { Type } from './type.ts'

/** Which parts of a response go into which variables. Rows without both fields are left alone. */
export const ResponseVariableMapping = Type.Array(
  PartialObject({
    id: Id,
    variableId: Id,
    bodyPath: Type.String({
      description: 'Expression over `data` (the body) and `statusCode`',
      examples: ['data.items[0].name', 'statusCode'],
    }),
  }),
)
export type ResponseVariableMapping = Static<typeof ResponseVariableMapping>
