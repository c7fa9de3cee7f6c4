import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../lib/errors.ts'
import type { FilePlace } from '../ports/uploaded-files-port.ts'

/** Permission that an upload address carries. */
interface UploadGrant {
  readonly place: FilePlace
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Encodes and signs a grant: without the secret no other can be made from it. */
export function signGrant(grant: UploadGrant, secret: string | Buffer): string {
  const payload = Buffer.from(JSON.stringify(grant)).toString('base64url')
  return `${payload}.${signatureOf(payload, secret).toString('base64url')}`
}

/** Reads a grant back. Throws FORBIDDEN for what was not signed with the secret, and for what has expired. */
export function readGrant(
  token: string,
  { secret, now }: { secret: string | Buffer; now: number },
): UploadGrant {
  const [payload = '', signature = ''] = token.split('.', 2)
  const given = Buffer.from(signature, 'base64url')
  const right = signatureOf(payload, secret)
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw notValid()
  }
  const grant: UploadGrant = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (now < grant.expiresAt) return grant
  throw new ServiceError('FORBIDDEN', 'The upload address has expired')
}

/** One error for every invalid address: the reason would only help an attacker. */
export function notValid(): ServiceError {
  return new ServiceError('FORBIDDEN', 'The upload address is not valid')
}

/** Nothing else that the operator signs with the same secret can stand for a grant. */
const purpose = 'upload address '

function signatureOf(payload: string, secret: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(purpose).update(payload).digest()
}
