import type { AdminToken } from '../../src/ports/caller.ts'

/** What `ADMIN_TOKEN` is read as. */
export const adminTokens = (token: string | undefined): readonly AdminToken[] =>
  token === undefined ? [] : [{ name: 'admin', token }]
