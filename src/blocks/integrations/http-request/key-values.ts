import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'

/** Rows of a table of query parameters or headers. */
export type KeyValues = readonly (readonly [key: TextTemplate, value: TextTemplate])[]

/** Prepares a table of query parameters or headers; `at` is its place inside the block. */
export function compileKeyValues(
  rows: readonly { readonly key?: string; readonly value?: string }[] | undefined,
  at: string,
  context: CompileContext,
): KeyValues {
  return (rows ?? []).map(
    ({ key, value }, index) =>
      [
        context.text(key ?? '', `${at}/${index}/key`),
        context.text(value ?? '', `${at}/${index}/value`),
      ] as const,
  )
}

/** Renders a table; rows whose key or value is empty are left out. */
export function renderKeyValues(rows: KeyValues, context: RunContext): (readonly [string, string])[] {
  return rows
    .map(([key, value]) => [context.text(key), context.text(value)] as const)
    .filter(([key, value]) => key !== '' && value !== '')
}
