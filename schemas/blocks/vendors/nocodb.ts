import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { vendorOptions } from './common.ts'

const nocodbOperators = [
  'Equal to',
  'Not equal',
  'Contains',
  'Greater than',
  'Less than',
  'Is set',
  'Is empty',
  'Starts with',
  'Ends with',
] as const

/** Reads and writes records of a NocoDB table. */
export const NocodbBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('nocodb'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Search Records', 'Create Record', 'Update Existing Record'),
      tableId: Type.String(),
      viewId: Type.String({ description: 'Limits the records to those of a view' }),
      returnType: StringEnum(['All', 'First', 'Last', 'Random'], {
        description: '`Search Records`: which of the records that were found. Default All',
      }),
      filter: PartialObject({
        joiner: StringEnum(['AND', 'OR'], { description: 'Default AND' }),
        comparisons: Type.Array(
          PartialObject({
            id: Id,
            input: Type.String({ description: 'A field' }),
            operator: Type.String({ examples: [...nocodbOperators] }),
            value: Type.String(),
          }),
        ),
      }),
      responseMapping: Type.Array(PartialObject({ id: Id, fieldName: Type.String(), variableId: Id })),
      fields: Type.Array(PartialObject({ id: Id, key: Type.String(), value: Type.String() })),
      updates: Type.Array(PartialObject({ id: Id, fieldName: Type.String(), value: Type.String() })),
    }),
  ),
})
export type NocodbBlock = Static<typeof NocodbBlock>
