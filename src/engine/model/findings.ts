/** Every kind of remark that preparing a block can make. The linter (src/lint) has rules of these names, and many more. */
export type FindingCode =
  | 'invalid-code'
  | 'invalid-option'
  | 'invalid-pattern'
  | 'not-available'
  | 'retired-action'
  | 'unknown-variable'

/** A remark about a definition that is valid, yet perhaps not what its author meant. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: 'error' | 'warning'
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly blockId?: string
  /** What is wrong and how to mend it, in one sentence. */
  readonly hint: string
}

/** What findings take up while they are kept: a program of strangers can have as many as it has texts. */
export function bytesOfFindings(findings: readonly Finding[]): number {
  return findings.reduce((sum, { pointer, hint }) => sum + 100 + 2 * (pointer.length + hint.length), 0)
}
