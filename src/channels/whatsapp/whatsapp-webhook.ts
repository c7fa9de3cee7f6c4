import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundRequest } from '../messenger.ts'
import { isSameSecret } from '../wire/same-secret.ts'

/** Whether a body was signed with the secret of the app: `X-Hub-Signature-256`, over its bytes as they came. */
export function isSignedBy(appSecret: string, { headers, body }: InboundRequest): boolean {
  const header = headers['x-hub-signature-256']
  const [, hex] = (typeof header === 'string' && /^sha256=([\da-f]{64})$/i.exec(header)) || []
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(body).digest())
}

/** Answer to the request by which the dashboard verifies the address (`hub.challenge`). */
export function answerChallenge(verifyToken: string, { query }: InboundRequest): string | undefined {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query
  const isFor = mode === 'subscribe' && isSameSecret(token, verifyToken)
  return isFor && challenge !== undefined && /^[\w.-]{1,200}$/.test(challenge) ? challenge : undefined
}
