/** Caller of a request: anyone, a holder of the preview token, or an operator. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin'; readonly name: string }

/** Without a token, or by none that counts for what is asked. */
export const anonymous: Caller = { kind: 'anonymous' }
