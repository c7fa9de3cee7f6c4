/** Every kind of remark that preparing a block can make. The linter (src/tooling/lint) has rules of these names, and many more. */
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
  /** The problem and its remedy, in one sentence. */
  readonly hint: string
}

/** Memory of findings while they are kept: an untrusted program can have as many as it has texts. */
export function bytesOfFindings(findings: readonly Finding[]): number {
  return findings.reduce((sum, { pointer, hint }) => sum + 100 + 2 * (pointer.length + hint.length), 0)
}
