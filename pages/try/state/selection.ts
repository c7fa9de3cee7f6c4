/** What of a flow somebody looks at. */
export type Selection =
  | { readonly kind: 'block'; readonly blockId: string }
  | { readonly kind: 'edge'; readonly edgeId: string }
  | { readonly kind: 'variable'; readonly variableId: string }
  | undefined
