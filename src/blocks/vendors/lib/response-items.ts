import type { Assignment } from '../../../engine/model/step.ts'

/** Which part of an answer goes into which variable. */
interface ResponseItem {
  readonly item?: string
  readonly variableId?: string
}

/** The marks of a vendor's block whose `responseMapping` is read by `assignItems`. */
export const mappingMarks = { calls: true, mapping: { option: 'responseMapping', counts: 'last' } } as const

/** A text or number of an answer; undefined for any other value. */
export function plainPart(part: unknown): string | number | undefined {
  return typeof part === 'string' || typeof part === 'number' ? part : undefined
}

/** Writes parts of an answer to variables; a part that is missing leaves its variable alone. */
export function assignItems(
  rows: readonly ResponseItem[] | undefined,
  parts: Readonly<Record<string, unknown>>,
  usualItem: string,
): Assignment[] {
  return (rows ?? []).flatMap(({ item = usualItem, variableId }) => {
    const value = Object.hasOwn(parts, item) ? parts[item] : undefined
    return variableId === undefined || value === undefined || value === null ? [] : [{ variableId, value }]
  })
}
