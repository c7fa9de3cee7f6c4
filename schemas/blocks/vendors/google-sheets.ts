import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const actions = ['Get data from sheet', 'Insert a row', 'Update a row'] as const

const CellsToWrite = Type.Array(
  PartialObject({
    id: Id,
    column: Type.String({ description: 'Title of the column' }),
    value: Type.String(),
  }),
)

const RowFilter = PartialObject({
  logicalOperator: StringEnum(['AND', 'OR'], { description: 'Default OR' }),
  comparisons: Type.Array(
    PartialObject({
      id: Id,
      column: Type.String(),
      comparisonOperator: Type.String({ description: 'As in conditions', examples: ['Equal to'] }),
      value: Type.String(),
    }),
  ),
})

/** Reads or writes rows of a spreadsheet. */
export const GoogleSheetsBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Google Sheets'),
  options: Type.Optional(
    PartialObject({
      credentialsId: Id,
      spreadsheetId: Type.String(),
      sheetId: Type.String({ description: 'Numeric id of the sheet, as text' }),
      action: Type.String({ examples: [...actions] }),
      filter: RowFilter,
      cellsToExtract: Type.Array(PartialObject({ id: Id, column: Type.String(), variableId: Id })),
      totalRowsToExtract: StringEnum(['All', 'First', 'Last', 'Random'], { description: 'Default All' }),
      cellsToInsert: CellsToWrite,
      cellsToUpsert: CellsToWrite,
      parseValues: Type.Boolean({
        description: 'Whether numbers and dates become such, as if typed. Default false: all stays text',
      }),
      referenceCell: PartialObject(
        { id: Id, column: Type.String(), value: Type.String() },
        { description: 'Of versions below 6: the row to read or update; `filter` replaces it' },
      ),
    }),
  ),
})
export type GoogleSheetsBlock = Static<typeof GoogleSheetsBlock>
