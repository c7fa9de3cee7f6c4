import { expect, it, onTestFinished } from 'vitest'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { createContactRows } from '../../../src/stores/sqlite/thread/contacts/contact-rows.ts'
import { migrate } from '../../../src/stores/sqlite/thread/migrations.ts'

it('looks for the one link that a turn leaves, and not through all links of its contact', async () => {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  migrate(database, 0)
  const prepared: string[] = []
  createContactRows({
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      prepared.push(sql)
      return database.prepare(sql)
    },
  })
  const adding = prepared.find((sql) => sql.startsWith('INSERT INTO contact_links'))
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${adding}`).all() as { detail: string }[]
  expect(plan.map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('(contact=? AND session_id=? AND flow_id=? AND result_id=?)'),
  )
})
