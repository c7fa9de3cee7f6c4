/** Caller of a request: anyone, a holder of the preview token, or an operator. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin'; readonly name: string }

/** Caller without a token, or without a valid one for the request. */
export const anonymous: Caller = { kind: 'anonymous' }
