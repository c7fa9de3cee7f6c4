import { expect, it, onTestFinished } from 'vitest'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { migrate } from '../../../src/stores/sqlite/thread/migrations.ts'
import { OutboxRows } from '../../../src/stores/sqlite/thread/outgoing/outbox-rows.ts'
import type { RowsContext } from '../../../src/stores/sqlite/thread/rows-context.ts'
import { outboxBounds } from '../../support/memory-outbox.ts'

const destination = 'webhook:crm'
const leaseMs = 20_000

async function openOutbox() {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  migrate(database, 0)
  const clock = { now: 1000 }
  const context = { database, clock, bounds: { outbox: outboxBounds } } as unknown as RowsContext
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
