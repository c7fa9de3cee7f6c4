import { type NamedToken, type Rights, scopes, type TokenScope } from '../ports/caller.ts'

/** The name of `ADMIN_TOKEN`. */
const ownName = 'admin'

/** The name of `RESULTS_TOKEN`. */
const readersName = 'results'

/** Characters of a name, scopes, the public id of a flow and a token; none may hold the separators. */
const entryPattern = /^([\w.-]{1,64})(?::([\w.+-]{1,64}))?(?:@([\w.-]{1,200}))?=([!-+\x2d-~]+)$/

const readOnly = 'read-only'

/** Words of a scope; that of assistants stands alone. */
const scopeWords: readonly string[] = [...scopes, readOnly]

/** Tokens by what they are for; those of assistants open nothing else. */
interface AccessTokens {
  readonly admin: readonly NamedToken[]
  readonly mcp: readonly NamedToken[]
}

/**
 * Reads `ADMIN_TOKENS`, with `ADMIN_TOKEN` and `RESULTS_TOKEN` before them. What is wrong is reported by the place or the name of the
 * entry, and never by its text.
 */
export function readAccessTokens(
  {
    ADMIN_TOKEN: own,
    RESULTS_TOKEN: readers,
    ADMIN_TOKENS: named,
  }: Partial<Record<'ADMIN_TOKEN' | 'RESULTS_TOKEN' | 'ADMIN_TOKENS', string | undefined>>,
  problems: string[],
): AccessTokens {
  const admin: NamedToken[] = own === undefined ? [] : [{ name: ownName, token: own }]
  const mcp: NamedToken[] = []
  if (readers !== undefined && readers === own)
    problems.push('RESULTS_TOKEN: is that of ADMIN_TOKEN, which may do everything: choose another')
  else if (readers !== undefined)
    admin.push({ name: readersName, token: readers, rights: { scopes: ['results'], isReadOnly: true } })
  const complain = (problem: string) => void problems.push(`ADMIN_TOKENS: ${problem}`)
  for (const [index, entry] of entriesOf(named).entries()) {
    const [, name, scope, flow, token] = entryPattern.exec(entry) ?? []
    const others = [...admin, ...mcp]
    if (name === undefined || token === undefined)
      complain(`entry ${index + 1} is not name=token, the name of letters, digits, ".", "_" and "-"`)
    else if (scope === 'mcp' && flow !== undefined)
      complain(
        `"${name}" is of an assistant, which is offered all flows that are meant for it: leave @${flow} out`,
      )
    else if (scope !== 'mcp' && scope?.split('+').some((word) => !scopeWords.includes(word)))
      complain(
        `"${name}" has a scope that is not known: leave it out, or write ${scopeWords.join(', ')}, or mcp`,
      )
    else if (name === ownName) complain(`"${ownName}" is the name of ADMIN_TOKEN: choose another`)
    else if (others.some((other) => other.name === name)) complain(`two entries have the name "${name}"`)
    else if (others.some((other) => other.token === token))
      complain(`"${name}" has the token of another name: the audit could not tell them apart`)
    else if (scope === 'mcp') mcp.push({ name, token })
    else admin.push({ name, token, ...rightsOf(scope, flow) })
  }
  return { admin, mcp }
}

/** Has a list that is in use hold other tokens from now on. */
export function replaceTokens(used: readonly NamedToken[], tokens: readonly NamedToken[]): void {
  ;(used as NamedToken[]).splice(0, used.length, ...tokens)
}

/** Entries stand between commas, and in a file each may have a line of its own. */
function entriesOf(text = ''): string[] {
  return text === '' ? [] : text.split(/,|\n/).map((entry) => entry.trim())
}

function rightsOf(scope = '', flow: string | undefined): { readonly rights?: Rights } {
  if (scope === '' && flow === undefined) return {}
  const words = scope.split('+')
  const named = scopes.filter((word: TokenScope) => words.includes(word))
  return {
    rights: {
      ...(named.length > 0 && { scopes: named }),
      ...(words.includes(readOnly) && { isReadOnly: true }),
      ...(flow !== undefined && { flow }),
    },
  }
}
