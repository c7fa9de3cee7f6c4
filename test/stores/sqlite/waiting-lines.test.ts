import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { migrate } from '../../../src/stores/sqlite/thread/migrations.ts'
import { OutboxRows } from '../../../src/stores/sqlite/thread/outgoing/outbox-rows.ts'
import { StoredLines } from '../../../src/stores/sqlite/thread/outgoing/stored-lines.ts'
import type { RowsContext } from '../../../src/stores/sqlite/thread/rows-context.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'

const destination = 'webhook:crm'
const leaseMs = 20_000

async function openOutbox() {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  migrate(database, 0)
  const clock = { now: 1000 }
  const context = {
    database,
    clock,
    bounds: { outbox: outboxBounds, inbox: inboxBounds },
  } as unknown as RowsContext
  const open = () => new OutboxRows(context)
  return { database, clock, open, rows: open() }
}

const event = (eventId: string, line = 'ada') => ({
  destination,
  line,
  eventId,
  type: 'turn.completed',
  body: '{}',
})

const claimed = (rows: OutboxRows) => rows.claim([{ destination, limit: 10 }], leaseMs)

const namesOf = (events: ReturnType<typeof claimed>) => events.map(({ eventId }) => eventId)

it('knows the lines of a folder that it opens', async () => {
  const { rows, open } = await openOutbox()
  rows.put([event('1'), event('2'), event('3', 'bob')])
  const [first] = claimed(rows)
  rows.settle(first!, { state: 'delivered' })

  const reopened = open()

  reopened.put([event('4')])
  expect(namesOf(claimed(reopened))).toEqual(['2', '3'])
})

it('forgets what was put out, arrived or was dropped in a transaction that failed', async () => {
  const { database, rows } = await openOutbox()
  rows.put([event('1'), event('2')])
  const [first] = claimed(rows)
  rows.lines.confirm()

  const changes = [
    () => rows.put([event('3', 'bob')]),
    () => rows.settle(first!, { state: 'delivered' }),
    () => rows.drop(destination),
    () => rows.erase('ada'),
  ]
  for (const change of changes) {
    database.exec('BEGIN')
    change()
    rows.lines.revert()
    database.exec('ROLLBACK')
  }

  expect(rows.lines.of({ line: 'bob', destination })).toEqual([])
  expect(claimed(rows)).toEqual([])
  rows.settle(first!, { state: 'delivered' })
  expect(namesOf(claimed(rows))).toEqual(['2'])
})

it('claims the first of each line however many wait behind it', async () => {
  const { rows } = await openOutbox()
  rows.put(Array.from({ length: 200 }, (_, index) => event(`a${index}`)))
  rows.put([event('b', 'bob')])

  expect(namesOf(claimed(rows))).toEqual(['a0', 'b'])
  expect(claimed(rows)).toEqual([])
})

const names = {
  line: fc.constantFrom('ada', 'bob'),
  destination: fc.constantFrom(destination, 'webhook:erp'),
}

const change = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), ...names }),
  fc.record({ kind: fc.constant('claim' as const), ...names }),
  fc.record({
    kind: fc.constant('settle' as const),
    nth: fc.nat(20),
    outcome: fc.constantFrom(
      { state: 'delivered' as const, restMs: 5000 },
      { state: 'delivered' as const },
      { state: 'waiting' as const, pauseMs: 3000, error: 'away' },
      { state: 'set aside' as const, error: 'refused' },
    ),
  }),
  fc.record({
    kind: fc.constant('retry' as const),
    ...names,
    which: fc.constantFrom(undefined, 'waiting' as const, 1, 2, 3),
  }),
  fc.record({ kind: fc.constant('erase' as const), ...names }),
  fc.record({ kind: fc.constant('drop' as const), ...names }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1000, leaseMs) }),
)

const transaction = fc.record({ changes: fc.array(change, { maxLength: 4 }), isKept: fc.boolean() })

it('is what the file says, whatever was changed, and kept or not', async () => {
  const transactions = fc.array(transaction, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(transactions, async (all) => {
      const { database, clock, rows } = await openOutbox()
      const given: ReturnType<typeof claimed>[number][] = []
      let puts = 0
      function apply(one: (typeof all)[number]['changes'][number]) {
        if (one.kind === 'wait') clock.now += one.ms
        else if (one.kind === 'put')
          rows.put([{ ...event(`${puts++}`, one.line), destination: one.destination }])
        else if (one.kind === 'claim')
          given.push(...rows.claim([{ destination: one.destination, limit: 1 }], leaseMs))
        else if (one.kind === 'retry') rows.retry(one.destination, one.which)
        else if (one.kind === 'erase') rows.erase(one.line)
        else if (one.kind === 'drop') rows.drop(one.destination)
        else if (given.length > 0) rows.settle(given[one.nth % given.length]!, one.outcome)
      }
      for (const { changes, isKept } of all) {
        database.exec('BEGIN')
        for (const one of changes) apply(one)
        if (isKept) rows.lines.confirm()
        else rows.lines.revert()
        database.exec(isKept ? 'COMMIT' : 'ROLLBACK')
        expect(seen(rows.lines, clock.now)).toEqual(seen(new StoredLines(database, 'outbox'), clock.now))
      }
    }),
  )
})

/** All that is known of the lines. Those that are due at the same time come in any order. */
const seen = (lines: StoredLines, now: number) => [
  lines.count,
  ...[destination, 'webhook:erp'].map((of) => [
    [...lines.due(of, now, 9)].sort(),
    [...lines.due(of, now + 60_000, 9)].sort(),
    ['ada', 'bob'].map((line) => [...lines.of({ line, destination: of })]),
  ]),
]
