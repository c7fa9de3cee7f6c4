import type { NocodbBlock } from '../../../../schemas/blocks/vendors.ts'

type Filter = NonNullable<NonNullable<NocodbBlock['options']>['filter']>
type Comparison = NonNullable<Filter['comparisons']>[number]

/** A filter in the language of the vendor, or the field whose comparison can't be said in it. */
type WhereClause =
  | { readonly ok: true; readonly where: string | undefined }
  | { readonly ok: false; readonly field: string }

/**
 * Writes a filter as a `where` parameter. The language has no escapes, so a value that could change the filter is
 * refused: it may come from a visitor.
 */
export function writeWhereClause(filter: Filter | undefined): WhereClause {
  const clauses: string[] = []
  for (const comparison of filter?.comparisons ?? []) {
    if (comparison.input === undefined) continue
    const clause = writeComparison(comparison, comparison.input)
    if (clause === undefined) return { ok: false, field: comparison.input }
    clauses.push(clause)
  }
  const joiner = filter?.joiner === 'OR' ? '~or' : '~and'
  return { ok: true, where: clauses.length > 0 ? clauses.join(joiner) : undefined }
}

/** Characters that end a comparison or begin another. */
const syntax = /[()~]/

/** Characters with a meaning in a pattern. */
const wildcard = /[%_\\]/

function writeComparison({ operator, value = '' }: Comparison, field: string): string | undefined {
  if (syntax.test(field) || field.includes(',') || syntax.test(value)) return undefined
  const compare = (operation: string) => `(${field},${operation},${value})`
  const like = (before: string, after: string) =>
    wildcard.test(value) ? undefined : `(${field},like,${before}${value}${after})`
  switch (operator) {
    case 'Not equal':
      return compare('ne')
    case 'Contains':
      return like('%', '%')
    case 'Starts with':
      return like('', '%')
    case 'Ends with':
      return like('%', '')
    case 'Greater than':
      return compare('gt')
    case 'Less than':
      return compare('lt')
    case 'Is set':
      return `(${field},isnot,null)`
    case 'Is empty':
      return `(${field},is,null)`
    default:
      return compare('eq')
  }
}
