/** Caller of a request: anyone, a holder of the preview token, or an operator. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin'; readonly name: string }

/** A token of an operator; the audit names its changes by the name of the token. */
export interface AdminToken {
  readonly name: string
  readonly token: string
}

/** Caller without a token, or without a valid one for the request. */
export const anonymous: Caller = { kind: 'anonymous' }
