import type { NamedToken } from '../ports/caller.ts'

/** The name of `ADMIN_TOKEN`. */
const ownName = 'admin'

/** Characters of a name, a scope and a token; none may hold the separators. */
const entryPattern = /^([\w.-]{1,64})(?::([\w.-]{1,64}))?=([!-+\x2d-~]+)$/

/** Tokens by what they are for; those of assistants open nothing else. */
interface AccessTokens {
  readonly admin: readonly NamedToken[]
  readonly mcp: readonly NamedToken[]
}

/**
 * Reads `ADMIN_TOKENS`, and `ADMIN_TOKEN` as the first of them. What is wrong is reported by the place or the name of the
 * entry, and never by its text.
 */
export function readAccessTokens(
  {
    ADMIN_TOKEN: own,
    ADMIN_TOKENS: named,
  }: { ADMIN_TOKEN?: string | undefined; ADMIN_TOKENS?: string | undefined },
  problems: string[],
): AccessTokens {
  const admin: NamedToken[] = own === undefined ? [] : [{ name: ownName, token: own }]
  const mcp: NamedToken[] = []
  const complain = (problem: string) => void problems.push(`ADMIN_TOKENS: ${problem}`)
  for (const [index, entry] of (named?.split(',') ?? []).entries()) {
    const [, name, scope, token] = entryPattern.exec(entry.trim()) ?? []
    const others = [...admin, ...mcp]
    if (name === undefined || token === undefined)
      complain(`entry ${index + 1} is not name=token, the name of letters, digits, ".", "_" and "-"`)
    else if (scope !== undefined && scope !== 'mcp')
      complain(`"${name}" has a scope that is not known: leave it out, or write name:mcp=token`)
    else if (name === ownName) complain(`"${ownName}" is the name of ADMIN_TOKEN: choose another`)
    else if (others.some((other) => other.name === name)) complain(`two entries have the name "${name}"`)
    else if (others.some((other) => other.token === token))
      complain(`"${name}" has the token of another name: the audit could not tell them apart`)
    else (scope === 'mcp' ? mcp : admin).push({ name, token })
  }
  return { admin, mcp }
}
