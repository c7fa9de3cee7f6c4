import { expect, it } from 'vitest'
import { findContacts, listLinks } from '../../../src/stores/postgres/contacts/contact-statements.ts'
import { putMessages } from '../../../src/stores/postgres/outgoing/inbox-statements.ts'
import { putOutAlone, trackOutgoing } from '../../../src/stores/postgres/outgoing/outbox-statements.ts'
import { queueStatements } from '../../../src/stores/postgres/outgoing/queue-statements.ts'
import { countReads } from '../../support/postgres/count-reads.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

/** Events of 1000 lines, of which each has five that wait behind ten that were delivered. */
const fill = (
  table: string,
) => `INSERT INTO ${table} (number, destination, line, event_id, type, created, due, is_delivered, settled)
  OVERRIDING SYSTEM VALUE SELECT i, 'd', 'l' || i % 1000, 'e' || i, 't', i, CASE WHEN i > 10100 THEN i END, i <= 10100,
    CASE WHEN i <= 10100 THEN i END
  FROM generate_series(101, 15100) i`

describeWithPostgres('queues', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it.each([
    { queue: 'outbox', ...queueStatements.outbox },
    { queue: 'inbox', ...queueStatements.inbox },
  ])(
    'find what is due and whose turn it is in the $queue, though they were planned while it was empty',
    async (made) => {
      const { queue, claim, settle } = made
      const claiming = { text: claim, values: [`ARRAY['d']`, 'ARRAY[10]', '1000'] }
      expect((await countReads(databaseUrl(), claiming, fill(queue))).read).toBeLessThan(500)
      const settled = [
        '12000, 12007',
        '0, 0',
        `'delivered', 'waiting'`,
        '0, 5',
        'NULL, NULL',
        'NULL, NULL',
        'false, false',
      ]
      const settling = { text: settle, values: settled.map((column) => `ARRAY[${column}]`) }
      expect((await countReads(databaseUrl(), settling, fill(queue))).read).toBeLessThan(40)
    },
  )

  it('put an event behind those of its line', async () => {
    const texts = ['d', 'l7', 'new', 't', 'b', 's'].map((value) => `ARRAY['${value}']`)
    const putting = { text: putOutAlone, values: ['ARRAY[1]', ...texts] }
    expect((await countReads(databaseUrl(), putting, fill('outbox'))).read).toBeLessThan(5)
  })

  it('find persons and what they had, though that was planned while there were none', async () => {
    const persons = `INSERT INTO contacts (key, memory, revision, first_seen, last_seen, is_erased)
      SELECT 'k' || i, '{}', 0, i, i, false FROM generate_series(1, 15000) i`
    const finding = { text: findContacts, values: [`ARRAY['k7', 'k9', 'none']`] }
    expect((await countReads(databaseUrl(), finding, persons)).read).toBeLessThan(20)
    const links = `INSERT INTO contact_links (contact, session_id, flow_id, result_id, at)
      SELECT 'k' || i % 1000, 's' || i, 'f', 'r' || i, i FROM generate_series(1, 15000) i`
    const listing = {
      text: listLinks,
      values: [`ARRAY['k7', 'k9']`, 'ARRAY[99999, 99999]', `ARRAY[NULL, 'f']`, 'ARRAY[2, 2]'],
    }
    expect((await countReads(databaseUrl(), listing, links)).read).toBeLessThan(40)
  })

  it('find the event of a status', async () => {
    const texts = ['d', 'e12000', 'r', 'sent', 'no'].map((value) => `ARRAY['${value}']`)
    const values = [texts[0], 'ARRAY[12000]', ...texts.slice(1), 'ARRAY[1]']
    const tracking = { text: trackOutgoing, values }
    expect((await countReads(databaseUrl(), tracking, fill('outbox'))).read).toBeLessThan(50)
  })

  it('know a message, and how many wait of a person', async () => {
    const columns = ['d', 'l1', 'new', 't', 'b', 's'].map((value) => `ARRAY['${value}']`)
    const of = (most: string) => ({ text: putMessages, values: [...columns, '50000', most] })
    // How many wait in all is counted as far as there is room.
    expect((await countReads(databaseUrl(), of('200'), fill('inbox'))).read).toBeLessThan(5200)
    expect((await countReads(databaseUrl(), of('3'), fill('inbox'))).read).toBeLessThan(5200)
  })
})
