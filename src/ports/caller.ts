/**
 * Caller of a request: anyone, a holder of the preview token, an operator, the program of an assistant, or a messenger
 * that the operator has connected.
 */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin' | 'assistant'; readonly name: string }
  | { readonly kind: 'channel' }

/** A token of an operator or an assistant; the audit names changes of operators by the name of the token. */
export interface NamedToken {
  readonly name: string
  readonly token: string
}

/** Caller without a token, or without a valid one for the request. */
export const anonymous: Caller = { kind: 'anonymous' }
