import { createHash } from 'node:crypto'
import type { OutgoingRequest } from '../../engine/model/effect-payloads.ts'
import type { TurnOwner } from './turn-owner.ts'

const header = 'idempotency-key'

/** They change nothing where they arrive, however often. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export type CallIdentity = Pick<TurnOwner, 'sessionId' | 'revision' | 'said' | 'callScope'>

/**
 * Names the calls of one turn: returns the request with an `Idempotency-Key` where it changes something and its flow sets
 * none (docs/behaviour/integrations.md, "Repeated calls"). A turn that is repeated names its calls the same; whatever
 * differs in what the visitor said or in what is sent makes another name, as a receiver answers a known one with what it
 * did before. Equal calls of a turn are told apart by their order.
 */
export function createCallNames(caller: CallIdentity): (request: OutgoingRequest) => OutgoingRequest {
  const times = new Map<string, number>()
  return (request) => {
    const isNamed = request.headers.some(([name]) => name.toLowerCase() === header)
    if (isNamed || safeMethods.has(request.method.toUpperCase())) return request
    const first = hashOf(request, caller, 1)
    const time = (times.get(first) ?? 0) + 1
    times.set(first, time)
    const key = time === 1 ? first : hashOf(request, caller, time)
    return { ...request, headers: [...request.headers, [header, key]] }
  }
}

/** Only a hash leaves the service: the id of the session is a secret. */
function hashOf(
  { method, url, body, bytes }: OutgoingRequest,
  { sessionId, revision = 0, said, callScope = 'turn' }: CallIdentity,
  time: number,
): string {
  const call = [callScope, sessionId, revision, said ?? null, time, method, url, body ?? null]
  return createHash('sha256')
    .update(JSON.stringify(call))
    .update(bytes ?? '')
    .digest('hex')
}
