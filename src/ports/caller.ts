/**
 * Caller of a request: anyone, a holder of the preview token, an operator, the program of an assistant, or a messenger
 * that the operator has connected.
 */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin'; readonly name: string; readonly rights?: Rights | undefined }
  | { readonly kind: 'assistant'; readonly name: string }
  | { readonly kind: 'channel' }

/** A token of an operator or an assistant; the audit names changes of operators by the name of the token. */
export interface NamedToken {
  readonly name: string
  readonly token: string
  /** Absent where it may do everything. */
  readonly rights?: Rights
}

/**
 * Purposes of tokens of operators: each route says which of them it needs. Beside that of results, `personal` is for what marked
 * variables hold.
 */
export const scopes = ['publish', 'results', 'personal', 'operate'] as const
export type TokenScope = (typeof scopes)[number]

/** Limits of a token of an operator. */
export interface Rights {
  /** Undefined: all. */
  readonly scopes?: readonly TokenScope[]
  readonly isReadOnly?: boolean
  /** The public id of the only flow that it is for. */
  readonly flow?: string
}

/** Caller without a token, or without a valid one for the request. */
export const anonymous: Caller = { kind: 'anonymous' }
