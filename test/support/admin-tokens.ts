import type { AdminToken } from '../../src/config/admin-tokens.ts'

/** What `ADMIN_TOKEN` is read as. */
export const adminTokens = (token: string | undefined): readonly AdminToken[] =>
  token === undefined ? [] : [{ name: 'admin', token }]
