import {
  destinationOf,
  type EndpointKind,
  type EndpointTable,
  inboxOf,
  type StoredEndpoint,
} from '../../outgoing/endpoint-table.ts'
import {
  type ClaimedEvent,
  type Delivery,
  type EventQueue,
  fullInbox,
  type InboxBounds,
  type InboxStore,
  type OutboxStore,
  type OutgoingEvent,
  readReference,
  type SendOutcome,
  type StatusChange,
} from '../../outgoing/outbox-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { batchStatements, columnsOf } from '../statement-batch.ts'
import { endpointStatements } from './endpoint-statements.ts'
import { putMessages } from './inbox-statements.ts'
import { eventColumnsOf, trackOutgoing } from './outbox-statements.ts'
import { queueStatements } from './queue-statements.ts'

type Database = Pick<PostgresDatabase, 'query' | 'transaction'>

/** The outbox that all processes on a database share. */
export function createPostgresOutbox(database: Database): OutboxStore {
  const track = batchStatements(
    async (batch: readonly (readonly StatusChange[])[]) => {
      const changes = batch.flat().map((change) => ({ ...change, name: readReference(change.reference) }))
      const values = columnsOf(
        changes,
        'destination',
        ({ name }) => name?.number,
        ({ name }) => name?.eventId,
        'reference',
        'status',
        'error',
        'pauseMs',
      )
      await database.query(trackOutgoing, values)
      return batch.map(() => undefined)
    },
    { maxStatements: 1 },
  )
  return { ...queueOf(database, queueStatements.outbox), track }
}

/** The inbox that all processes on a database share. */
export function createPostgresInbox(
  database: Database,
  { maxWaiting, maxOfLine }: Pick<InboxBounds, 'maxWaiting' | 'maxOfLine'>,
): InboxStore {
  const put = batchStatements(
    async (batch: readonly (readonly OutgoingEvent[])[]) => {
      const messages = batch.flat()
      const values = [...eventColumnsOf(messages), maxWaiting, maxOfLine]
      const rows = await database.query<{ n: number }>(putMessages, values)
      const left = new Set(rows.map(({ n }) => messages[n - 1]))
      return batch.map((own) => own.every((message) => !left.has(message)))
    },
    // What comes in later has a later number.
    { maxStatements: 1 },
  )
  return {
    ...queueOf(database, queueStatements.inbox),
    async put(messages) {
      if (!(await put(messages))) throw fullInbox()
    },
  }
}

function queueOf({ query, transaction }: Database, statements: typeof queueStatements.outbox): EventQueue {
  const settle = batchStatements(
    async (batch: readonly Settled[]) => {
      await query(statements.settle, columnsOfSettled(batch))
      return batch.map(() => undefined)
    },
    { maxStatements: 1 },
  )
  return {
    async claim(wanted, leaseMs) {
      const destinations = wanted.map(({ destination }) => destination)
      const limits = wanted.map(({ limit }) => limit)
      const claimed = await query<ClaimedEvent>(statements.claim, [destinations, limits, leaseMs])
      return claimed.sort((one, other) => one.number - other.number)
    },
    settle: (claimed, outcome) => settle({ ...claimed, outcome }),
    list: (destination, { before = Number.MAX_SAFE_INTEGER, state = null, limit }) =>
      query<Delivery>(statements.list, [destination, before, state, limit]),
    async retry(destination, which) {
      const isWaiting = which === 'waiting'
      const values = [destination, isWaiting ? null : (which ?? null), isWaiting]
      return transaction(async (within) => (await within(statements.retry, values)).length)
    },
    async countWaiting() {
      const [counted] = await query<{ waiting: number }>(statements.count)
      return counted?.waiting ?? 0
    },
  }
}

type Settled = Pick<ClaimedEvent, 'number' | 'attempts'> & { readonly outcome: SendOutcome }

const columnsOfSettled = (batch: readonly Settled[]) =>
  columnsOf(
    batch,
    'number',
    'attempts',
    ({ outcome }) => outcome.state,
    ({ outcome }) =>
      ('pauseMs' in outcome && outcome.pauseMs) || ('restMs' in outcome && outcome.restMs) || 0,
    ({ outcome }) => ('error' in outcome ? outcome.error : undefined),
    ({ outcome }) => ('reference' in outcome ? outcome.reference : undefined),
    ({ outcome }) => 'isTracked' in outcome && outcome.isTracked === true,
  )

/** The endpoints of a kind of all processes on a database. */
export function createPostgresEndpointTable(
  { query, transaction }: Database,
  kind: EndpointKind,
): EndpointTable {
  const statements = endpointStatements(kind)
  const placesOf = (name: string) => [destinationOf(name, kind), kind === 'channel' ? inboxOf(name) : null]
  return {
    list: () => query<StoredEndpoint>(statements.list),
    put: ({ name, text, actor, most }) =>
      transaction(async (within) => {
        await within(statements.lock)
        const values = [name, text, actor, ...placesOf(name), most]
        return (await within(statements.put, values)).length > 0
      }),
    remove: ({ name, actor }) =>
      transaction(
        async (within) => (await within(statements.remove, [name, actor, ...placesOf(name)])).length > 0,
      ),
    async disable({ name, revision }, reason) {
      await query(statements.disable, [name, revision, reason])
    },
  }
}
