import type { Result, ResultVisit } from '../result-store.ts'

/** A visit as columns beside the text of a result; null where there is none. */
export type VisitColumns = { readonly [Name in keyof ResultVisit]: ResultVisit[Name] | null }

export const visitColumns = 'version, path, cohort, place, asked_at AS "askedAt"'

export function withVisit(result: Result, columns: VisitColumns | undefined): Result {
  if (!columns || columns.version === null) return result
  const { version, path, cohort, place, askedAt } = columns
  return { ...result, visit: { version, path, cohort, place, askedAt } as ResultVisit }
}
