import type { EndpointKind, EndpointTable, StoredEndpoint } from '../../../outgoing/endpoint-table.ts'
import type { ClaimedEvent, DeliveryPage, OutboxStore, SendOutcome } from '../../../outgoing/outbox-store.ts'
import type { createEndpointRows } from './endpoint-rows.ts'
import type { createInboxRows } from './inbox-rows.ts'
import type { createOutboxRows } from './outbox-rows.ts'

interface Rows {
  readonly outbox: ReturnType<typeof createOutboxRows>
  readonly inbox: ReturnType<typeof createInboxRows>
  readonly webhook: ReturnType<typeof createEndpointRows>
  readonly channel: ReturnType<typeof createEndpointRows>
}

type QueueName = 'outbox' | 'inbox'
type Claimed = Pick<ClaimedEvent, 'number' | 'attempts'>
type Change<Of extends 'put' | 'remove'> = Parameters<EndpointTable[Of]>[0]

/** Requests about what was put out and what came in, by their kinds. */
export function createQueueHandlers(rows: Rows) {
  const reads = {
    'list events': (now: number, queue: QueueName, destination: string, page: DeliveryPage) =>
      rows[queue].list(now, destination, page),
    'count events': (_: number, queue: QueueName) => rows[queue].count(),
    'list endpoints': (_: number, kind: EndpointKind) => rows[kind].list(),
  }
  const writes = {
    'claim events': (
      now: number,
      queue: QueueName,
      wanted: Parameters<OutboxStore['claim']>[0],
      leaseMs: number,
    ) => rows[queue].claim(now, wanted, leaseMs),
    'settle event': (now: number, queue: QueueName, claimed: Claimed, outcome: SendOutcome) =>
      rows[queue].settle(now, claimed, outcome),
    'retry events': (now: number, queue: QueueName, destination: string, which?: number | 'waiting') =>
      rows[queue].retry(now, destination, which),
    'track deliveries': rows.outbox.track,
    'put messages': rows.inbox.put,
    'put endpoint': (now: number, kind: EndpointKind, change: Change<'put'>) => rows[kind].put(now, change),
    'remove endpoint': (now: number, kind: EndpointKind, change: Change<'remove'>) =>
      rows[kind].remove(now, change),
    'disable endpoint': (
      now: number,
      kind: EndpointKind,
      endpoint: Pick<StoredEndpoint, 'name' | 'revision'>,
      reason: string,
    ) => rows[kind].disable(now, endpoint, reason),
  }
  return { reads, writes }
}
