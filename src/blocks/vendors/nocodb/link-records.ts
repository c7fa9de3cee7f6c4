import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { pathPart } from '../../../engine/values/path-part.ts'
import { parseJson } from '../../json-texts.ts'
import { askVendor, askVendorForJson } from '../lib/ask-vendor.ts'

/** Records of a table, and what fields of theirs are set to. */
interface RecordChange {
  readonly credentialsId: string | undefined
  readonly tableId: string
  readonly recordIds: readonly unknown[]
  readonly values: Readonly<Record<string, string>>
}

/**
 * Links records to those of other tables: a field that links takes no value when its record is written. One value is
 * an id, or a list of ids in JSON.
 */
export function* linkRecords(change: RecordChange, context: RunContext): Effects<readonly LogEntry[]> {
  const { credentialsId, tableId, recordIds, values } = change
  const vendor = { vendor: 'nocodb', credentialsId } as const
  const path = `/api/v2/meta/tables/${pathPart(tableId)}`
  const meta = yield* askVendorForJson({ ...vendor, method: 'GET', path }, context)
  if (!meta.ok) return [meta.log]
  for (const { id, title } of linkColumns(meta.body['columns'])) {
    const value = values[title]
    if (value === undefined) continue
    for (const recordId of recordIds) {
      const linked = yield* askVendor(
        {
          ...vendor,
          method: 'POST',
          path: `/api/v2/tables/${pathPart(tableId)}/links/${pathPart(id)}/records/${pathPart(String(recordId))}`,
          json: idsOf(value).map((linkedId) => ({ Id: linkedId })),
        },
        context,
      )
      if (!linked.ok) return [linked.log]
    }
  }
  return []
}

function linkColumns(columns: unknown): readonly { id: string; title: string }[] {
  if (!Array.isArray(columns)) return []
  return columns.flatMap((column: unknown) => {
    const { id, title, uidt } = Object(column) as Record<string, unknown>
    const isLink = uidt === 'LinkToAnotherRecord'
    return isLink && typeof id === 'string' && typeof title === 'string' ? [{ id, title }] : []
  })
}

function idsOf(value: string): readonly unknown[] {
  const list = value.startsWith('[') ? parseJson(value)?.value : undefined
  return Array.isArray(list) ? list : [value]
}
