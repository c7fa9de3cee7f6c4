import { destinationOf, type EndpointTable, type StoredEndpoint } from '../../outgoing/endpoint-table.ts'
import type { ClaimedEvent, Delivery, OutboxStore } from '../../outgoing/outbox-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import {
  claimOutgoing,
  disableEndpoint,
  listDeliveries,
  listEndpoints,
  putEndpoint,
  removeEndpoint,
  retryDeliveries,
  settleOutgoing,
} from './outbox-statements.ts'

type Database = Pick<PostgresDatabase, 'query' | 'transaction'>

/** The outbox that all processes on a database share. */
export function createPostgresOutbox({ query, transaction }: Database): OutboxStore {
  return {
    async claim(wanted, leaseMs) {
      const destinations = wanted.map(({ destination }) => destination)
      const limits = wanted.map(({ limit }) => limit)
      const claimed = await query<ClaimedEvent>(claimOutgoing, [destinations, limits, leaseMs])
      return claimed.sort((one, other) => one.number - other.number)
    },
    async settle({ number, attempts }, outcome) {
      const pauseMs = outcome.state === 'waiting' ? outcome.pauseMs : null
      const error = 'error' in outcome ? storableText(outcome.error) : null
      await query(settleOutgoing, [number, attempts, outcome.state, pauseMs, error])
    },
    list: (destination, { before = Number.MAX_SAFE_INTEGER, state = null, limit }) =>
      query<Delivery>(listDeliveries, [destination, before, state, limit]),
    async retry(destination, which) {
      const isWaiting = which === 'waiting'
      const values = [destination, isWaiting ? null : (which ?? null), isWaiting]
      return transaction(async (within) => (await within(retryDeliveries, values)).length)
    },
  }
}

/** The endpoints of all processes on a database. */
export function createPostgresEndpointTable({ query, transaction }: Database): EndpointTable {
  return {
    list: () => query<StoredEndpoint>(listEndpoints),
    async put({ name, text, actor }) {
      await query(putEndpoint, [name, storableText(text), actor, destinationOf(name)])
    },
    remove: ({ name, actor }) =>
      transaction(
        async (within) => (await within(removeEndpoint, [name, actor, destinationOf(name)])).length > 0,
      ),
    async disable({ name, revision }, reason) {
      await query(disableEndpoint, [name, revision, storableText(reason)])
    },
  }
}
