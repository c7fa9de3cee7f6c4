import { expect, it } from 'vitest'
import { createErasureLog, type Erasure } from '../../src/results/erasure-log.ts'
import type { AuditEntry } from '../../src/stores/flow-table.ts'

/** What one erasure leaves in the audit and in the log. */
async function note(by: Erasure['by'], { deleted = 7, failure }: { deleted?: number; failure?: Error } = {}) {
  const rows: AuditEntry[] = []
  const lines: object[] = []
  const log = (details: object, msg: string) => void lines.push({ ...details, msg })
  const table = {
    async note(entry: AuditEntry) {
      if (failure) throw failure
      rows.push(entry)
    },
  }
  const noteErasure = createErasureLog(table, { info: log, error: log })
  await noteErasure({ actor: 'ann', publicId: 'welcome', deleted, by })
  return { rows, lines }
}

it.each([
  [undefined, 'all'],
  ['id', 'by id'],
  [{ from: 0, until: 1 }, 'from 1970-01-01T00:00:00.000Z, until 1970-01-01T00:00:00.001Z'],
  [{ from: undefined, until: undefined, answer: 'ada@shop.example' }, 'by an answer'],
] as const)('says by which filter something was erased: %j', async (by, filter) => {
  const { rows, lines } = await note(by)
  expect(rows).toEqual([
    { actor: 'ann', action: 'erase', subject: 'welcome', detail: `7 results: ${filter}` },
  ])
  expect(lines).toEqual([{ flow: 'welcome', token: 'ann', deleted: 7, filter, msg: 'results erased' }])
})

it('counts a single result as one', async () => {
  expect((await note('id', { deleted: 1 })).rows).toMatchObject([{ detail: '1 result: by id' }])
})

it('says in the log what the audit could not be told', async () => {
  const err = new Error('away')
  const { lines } = await note(undefined, { failure: err })
  expect(lines[1]).toMatchObject({ flow: 'welcome', token: 'ann', deleted: 7, err })
})
