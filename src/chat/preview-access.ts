import { requireBearer } from './bearer-token.ts'

/** What a preview may do: with the token of the operator it is trusted, without one it is a stranger's program. */
export type PreviewAccess = 'trusted' | 'open'

/** Tells what a preview may do; refuses one without the token where a token is set (docs/api.md 5). */
export function previewAccess(token: string | undefined, authorization: string | undefined): PreviewAccess {
  if (token === undefined) return 'open'
  requireBearer(token, authorization)
  return 'trusted'
}
