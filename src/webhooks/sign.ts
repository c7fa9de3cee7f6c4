import { createHmac } from 'node:crypto'

interface SignedEvent {
  readonly eventId: string
  readonly body: string
}

/** Headers of an event by the Standard Webhooks specification: a signature by each of the secrets. `now` in milliseconds since 1970. */
export function signedHeaders({ eventId, body }: SignedEvent, secrets: readonly string[], now: number) {
  const timestamp = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
  })
  return [
    ['content-type', 'application/json'],
    ['webhook-id', eventId],
    ['webhook-timestamp', String(timestamp)],
    ['webhook-signature', signatures.join(' ')],
  ] as const
}
