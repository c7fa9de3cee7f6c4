import { createHmac, timingSafeEqual } from 'node:crypto'

interface TokenTerms {
  readonly secret: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The payload of a JWT that was signed by HS256 with a secret, and whose `exp` has not come (docs/contacts.md). Throws in words
 * that follow the name of the token.
 */
export function readContactToken(token: string, { secret, now }: TokenTerms): unknown {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  const { alg } = Object(parsed(header)) as { alg?: unknown }
  if (rest.length > 0 || alg !== 'HS256')
    throw new Error('is no JWT that is signed by HS256: sign the contact with CONTACT_SECRET')
  const right = createHmac('sha256', secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Error('has a signature that is not by CONTACT_SECRET: sign header and payload as they are sent')
  const claims = parsed(payload)
  const { exp } = Object(claims) as { exp?: unknown }
  if (typeof exp !== 'number') throw new Error('has no exp: say until when it is good, in seconds since 1970')
  if (exp * 1000 <= now) throw new Error('has expired: sign the contact again')
  return claims
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
