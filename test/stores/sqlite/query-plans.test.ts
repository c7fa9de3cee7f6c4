import { expect, it, onTestFinished } from 'vitest'
import { type Database, loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { ContactRows } from '../../../src/stores/sqlite/thread/contacts/contact-rows.ts'
import { migrate } from '../../../src/stores/sqlite/thread/migrations.ts'
import { QueueRows } from '../../../src/stores/sqlite/thread/outgoing/queue-rows.ts'
import type { RowsContext } from '../../../src/stores/sqlite/thread/rows-context.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'

const clock = { now: 0 }

const bounds = { outbox: outboxBounds, inbox: inboxBounds } as RowsContext['bounds']

/** Says what the first statement that begins so reads, and by which index. */
async function planOf(prepareAll: (database: Database) => unknown, beginning: string): Promise<string[]> {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  migrate(database, 0)
  const prepared: string[] = []
  prepareAll({
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      prepared.push(sql)
      return database.prepare(sql)
    },
  })
  const statement = prepared.find((sql) => sql.startsWith(beginning))
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all() as { detail: string }[]
  return plan.map(({ detail }) => detail)
}

it('looks for the one link that a turn leaves, and not through all links of its contact', async () => {
  expect(
    await planOf((database) => new ContactRows({ database, clock }), 'INSERT INTO contact_links'),
  ).toContainEqual(expect.stringContaining('(contact=? AND session_id=? AND flow_id=? AND result_id=?)'))
})

it('erases what has settled of a line by an index, in the outbox and in the inbox', async () => {
  for (const queue of ['outbox', 'inbox'] as const) {
    const open = (database: Database) => new QueueRows({ database, clock, bounds }, queue)
    const plan = await planOf(open, `DELETE FROM ${queue} WHERE line`)
    expect(plan).toContainEqual(expect.stringContaining(`INDEX ${queue}_by_line (line=?)`))
  }
})
