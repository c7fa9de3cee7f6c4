import { createHash } from 'node:crypto'
import type { OutgoingRequest } from '../../engine/model/effect-payloads.ts'
import type { TurnOwner } from './turn-owner.ts'

const header = 'idempotency-key'

/** They change nothing where they arrive, however often. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Names a call so that it has the same name when its turn is repeated after a crash, and no other call has it
 * (docs/behaviour/integrations.md, "Repeated calls"). `number` counts the calls of the turn. The id of the session is a
 * secret, so only a hash leaves the service.
 */
export function callKey(
  { sessionId, revision = 0, callScope = 'turn' }: Pick<TurnOwner, 'sessionId' | 'revision' | 'callScope'>,
  number: number,
): string {
  const call = `${callScope} ${sessionId} ${revision} ${number}`
  return createHash('sha256').update(call).digest('hex')
}

/** The request with the name of its call as `Idempotency-Key`, where it changes something and its flow names none. */
export function withCallKey(request: OutgoingRequest, key: string): OutgoingRequest {
  const isNamed = request.headers.some(([name]) => name.toLowerCase() === header)
  if (isNamed || safeMethods.has(request.method.toUpperCase())) return request
  return { ...request, headers: [...request.headers, [header, key]] }
}
