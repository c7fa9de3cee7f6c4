import type { Config } from './config.ts'
import { isLoopback } from './loopback.ts'

type WarnedConfig = Pick<
  Config,
  'host' | 'previewToken' | 'metricsToken' | 'publicUrl' | 'uploads' | 'adminTokens' | 'mcpTokens'
>

/** Warnings about the configuration, for the operator. */
export function configWarnings({
  host,
  previewToken,
  metricsToken,
  publicUrl,
  uploads,
  adminTokens,
  mcpTokens,
}: WarnedConfig): readonly string[] {
  const roles = [
    ['PREVIEW_TOKEN', previewToken],
    ['METRICS_TOKEN', metricsToken],
    ...adminTokens.map(({ name, token }) => [`The admin token "${name}"`, token] as const),
    ...mcpTokens.map(({ name, token }) => [`The MCP token "${name}"`, token] as const),
  ] as const
  const warnings = warnOfTokens(roles)
  if (previewToken === undefined && !isLoopback(host)) {
    warnings.push(
      `Previews are open to everybody who reaches ${host}: set PREVIEW_TOKEN, or listen on 127.0.0.1 alone`,
    )
  }
  if (metricsToken === undefined && !isLoopback(host)) {
    warnings.push(`Metrics are open to everybody who reaches ${host}: set METRICS_TOKEN`)
  }
  if (uploads && publicUrl === undefined) {
    warnings.push('Uploads get the address that a request came to, whatever it was: set PUBLIC_URL')
  }
  return warnings
}

/** Characters of a token that nobody guesses in a lifetime, whatever they are. */
const leastCharacters = 16

type NamedToken = readonly [name: string, token: string | undefined]

/** No warning quotes a token. */
function warnOfTokens(tokens: readonly NamedToken[]): string[] {
  const set = tokens.filter(([, token]) => token !== undefined)
  const short = set
    .filter(([, token]) => Number(token?.length) < leastCharacters)
    .map(
      ([name]) =>
        `${name} has fewer than ${leastCharacters} characters, and can be guessed: draw a longer one`,
    )
  const equal = set.flatMap(([name, token], index) =>
    set
      .slice(0, index)
      .filter(([, earlier]) => earlier === token)
      .map(([earlier]) => `${name} is the same as ${earlier}: who has the one may do what the other is for`),
  )
  return [...short, ...equal]
}
