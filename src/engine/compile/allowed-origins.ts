import type { Settings } from '../../../schemas/settings.ts'
import type { Finding } from '../model/findings.ts'

/** The origins that a flow allows, as browsers send them: without a slash at the end, a usual port or capitals. */
export function compileAllowedOrigins({ security }: Settings): readonly string[] {
  return (security?.allowedOrigins ?? []).map((written) => originOf(written) ?? written)
}

/** Reports origins in a spelling that browsers do not send, or that no browser can send. */
export function originFindings({ security }: Settings): Finding[] {
  return (security?.allowedOrigins ?? []).flatMap((written, index): Finding[] => {
    const origin = originOf(written)
    if (origin === written) return []
    const place = { code: 'invalid-option', pointer: `/settings/security/allowedOrigins/${index}` } as const
    if (origin === undefined) {
      const hint =
        'No browser sends this as its origin, so it allows no site. Write scheme, host and port alone.'
      return [{ ...place, severity: 'error', hint }]
    }
    return [{ ...place, severity: 'warning', hint: `Browsers send "${origin}", which this is taken for.` }]
  })
}

/** Undefined for what is no origin. Those of sandboxed frames and of apps are kept as they are. */
function originOf(written: string): string | undefined {
  if (written === 'null') return written
  if (!URL.canParse(written)) return undefined
  const { protocol, host, origin, pathname, search, hash, username, password } = new URL(written)
  const isBare = /^\/?$/.test(pathname) && `${search}${hash}${username}${password}` === ''
  if (!isBare || host === '') return undefined
  return origin === 'null' ? `${protocol}//${host}` : origin
}
