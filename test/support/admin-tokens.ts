import type { NamedToken } from '../../src/ports/caller.ts'

/** What `ADMIN_TOKEN` is read as. */
export const adminTokens = (token: string | undefined): readonly NamedToken[] =>
  token === undefined ? [] : [{ name: 'admin', token }]
