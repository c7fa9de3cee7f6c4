import type { AdminToken } from '../ports/caller.ts'

/** The name of `ADMIN_TOKEN`. */
const ownName = 'admin'

/** Characters of a name and a token; neither may hold the separators. */
const pair = /^([\w.-]{1,64})=([!-+\x2d-~]+)$/

/**
 * Reads `ADMIN_TOKENS`, and `ADMIN_TOKEN` as the first of them. What is wrong is reported by the place or the name of the
 * entry, and never by its text.
 */
export function readAdminTokens(
  {
    ADMIN_TOKEN: own,
    ADMIN_TOKENS: named,
  }: { ADMIN_TOKEN?: string | undefined; ADMIN_TOKENS?: string | undefined },
  problems: string[],
): readonly AdminToken[] {
  const tokens: AdminToken[] = own === undefined ? [] : [{ name: ownName, token: own }]
  const complain = (problem: string) => void problems.push(`ADMIN_TOKENS: ${problem}`)
  for (const [index, entry] of (named?.split(',') ?? []).entries()) {
    const [, name, token] = pair.exec(entry.trim()) ?? []
    if (name === undefined || token === undefined)
      complain(`entry ${index + 1} is not name=token, the name of letters, digits, ".", "_" and "-"`)
    else if (name === ownName) complain(`"${ownName}" is the name of ADMIN_TOKEN: choose another`)
    else if (tokens.some((other) => other.name === name)) complain(`two entries have the name "${name}"`)
    else if (tokens.some((other) => other.token === token))
      complain(`"${name}" has the token of another name: the audit could not tell them apart`)
    else tokens.push({ name, token })
  }
  return tokens
}
