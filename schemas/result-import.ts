import type { Static } from '@sinclair/typebox'
import { ClosedObject, Timestamp } from './common.ts'
import { Type } from './type.ts'

const ImportedRow = ClosedObject({
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Names the row where it comes from: a row of a key that was imported before changes nothing',
  }),
  createdAt: { ...Timestamp, description: 'When the conversation began, with its zone; not in the future' },
  cells: Type.Array(Type.String(), {
    maxItems: 500,
    description: 'What it holds, in the order of the columns; empty for nothing',
  }),
})

/** A part of a table of results from elsewhere. */
export const ResultImportBody = ClosedObject({
  columns: Type.Array(Type.String({ maxLength: 1000 }), {
    minItems: 1,
    maxItems: 500,
    description:
      'The name of a variable, the title of the group of an input that saves in none, or the id of a block each. A later one of the same name may say which it is: `Contact (1)`',
    examples: [['Name', 'Email']],
  }),
  rows: Type.Array(ImportedRow, {
    maxItems: 500,
    description: 'None only asks which columns belong nowhere',
  }),
  part: Type.Optional(
    ClosedObject(
      {
        of: Type.String({
          pattern: '^[A-Za-z0-9_-]{1,40}$',
          description: 'Names the whole import, the same in each of its calls',
          examples: ['spring-2025'],
        }),
        number: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      },
      { description: 'Where a table comes in several calls: the row of the audit says which of them it is' },
    ),
  ),
})
export type ResultImportBody = Static<typeof ResultImportBody>

/** What became of the rows. */
export const ResultImport = ClosedObject({
  imported: Type.Integer({ minimum: 0, description: 'Rows that are results now' }),
  known: Type.Integer({ minimum: 0, description: 'Rows that were imported before, or erased since' }),
  outlived: Type.Integer({
    minimum: 0,
    description: 'Rows that are older than the flow lets results be kept',
  }),
  unmatched: Type.Array(Type.String(), {
    description: 'Columns that are of no variable, input or block of the flow: nothing of them is kept',
  }),
})
export type ResultImport = Static<typeof ResultImport>
