import { NocodbBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Assignment, Step } from '../../engine/model/step.ts'
import { pathPart } from '../../engine/values/path-part.ts'
import { askVendorForJson, reportNote, reportProblem } from './lib/ask-vendor.ts'
import { mappingMarks, objectOfRows, pickRows } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'
import { linkRecords } from './nocodb/link-records.ts'
import { writeWhereClause } from './nocodb/where-clause.ts'

type Options = NonNullable<NocodbBlock['options']>
type Row = Readonly<Record<string, unknown>>

/** Reads and writes records of a NocoDB table (docs/behaviour/integrations.md, "NocoDB"). */
export const nocodb = defineVendorBlock<NocodbBlock>({
  schema: NocodbBlock,
  actions: {
    'Search Records': searchRecords,
    'Create Record': createRecord,
    'Update Existing Record': updateRecords,
  },
  marks: mappingMarks,
})

/** Records that one search returns. */
const mostRecords = 1000

type SearchOutcome =
  | { readonly ok: true; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly step: Step }

function* searchRecords(options: Options, context: RunContext): Effects<Step> {
  const found = yield* findRecords(options, context)
  if (!found.ok) return found.step
  // Of those that came: a table may hold more than one search returns.
  const rows = yield* pickRows(found.rows, options.returnType)
  if (rows.length === 0) return nothingFound(options)
  const assignments: Assignment[] = []
  const logs = []
  for (const { fieldName, variableId } of options.responseMapping ?? []) {
    if (fieldName === undefined || variableId === undefined) continue
    if (!rows.some((row) => Object.hasOwn(row, fieldName))) {
      logs.push(reportProblem(`Field ${fieldName} does not exist in the table`))
      continue
    }
    const values = rows.map((row) => row[fieldName] ?? null)
    assignments.push({ variableId, value: values.length === 1 ? values[0] : values })
  }
  return { assignments, logs }
}

function* createRecord(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, tableId, fields } = options
  const values = objectOfRows(fields)
  if (tableId === undefined) return missingTable
  if (Object.keys(values).length === 0) return { logs: [reportProblem('At least one field is required')] }
  const path = recordsOf(tableId)
  const created = yield* askVendorForJson(
    { vendor: 'nocodb', credentialsId, method: 'POST', path, json: values },
    context,
  )
  if (!created.ok) return { logs: [created.log] }
  const recordIds = [created.body['Id']].filter((id) => id !== undefined)
  return { logs: yield* linkRecords({ credentialsId, tableId, recordIds, values }, context) }
}

function* updateRecords(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, tableId, updates, filter } = options
  const values = objectOfRows(updates?.map(({ fieldName, value }) => ({ key: fieldName, value })))
  if (tableId === undefined) return missingTable
  if (Object.keys(values).length === 0) return { logs: [reportProblem('At least one update is required')] }
  // Without one every record of the table would be changed.
  if (!filter?.comparisons?.some(({ input }) => input !== undefined))
    return { logs: [reportProblem('At least one filter is required')] }
  const found = yield* findRecords(options, context)
  if (!found.ok) return found.step
  const recordIds = found.rows.map((row) => row['Id']).filter((id) => id !== undefined)
  if (recordIds.length === 0) return nothingFound(options)
  const path = recordsOf(tableId)
  const json = recordIds.map((Id) => ({ Id, ...values }))
  const updated = yield* askVendorForJson(
    { vendor: 'nocodb', credentialsId, method: 'PATCH', path, json },
    context,
  )
  if (!updated.ok) return { logs: [updated.log] }
  return { logs: yield* linkRecords({ credentialsId, tableId, recordIds, values }, context) }
}

function* findRecords(options: Options, context: RunContext): Effects<SearchOutcome> {
  const { credentialsId, tableId, viewId, filter } = options
  if (tableId === undefined) return { ok: false, step: missingTable }
  const clause = writeWhereClause(filter)
  if (!clause.ok) return { ok: false, step: { logs: [unsafeValue(clause.field)] } }
  const query = new URLSearchParams({
    ...(clause.where !== undefined && { where: clause.where }),
    ...(viewId !== undefined && { viewId }),
    limit: String(mostRecords),
  })
  const path = `${recordsOf(tableId)}?${query}`
  const answer = yield* askVendorForJson({ vendor: 'nocodb', credentialsId, method: 'GET', path }, context)
  if (!answer.ok) return { ok: false, step: { logs: [answer.log] } }
  const list = answer.body['list']
  const rows = Array.isArray(list) ? list.slice(0, mostRecords) : []
  return { ok: true, rows: rows.map((row) => Object(row) as Row) }
}

const recordsOf = (tableId: string) => `/api/v2/tables/${pathPart(tableId)}/records`

const missingTable: Step = { logs: [reportProblem('Table ID is missing')] }

function nothingFound({ filter }: Options): Step {
  return { logs: [reportNote("Couldn't find any rows matching the filter", JSON.stringify(filter))] }
}

function unsafeValue(field: string) {
  return reportProblem(
    `The filter on the field ${field} can not be used`,
    'A field or value holds ( ) or ~, or %, _ or \\ where a part of a text is compared. NocoDB would read them as a part of the filter.',
  )
}
