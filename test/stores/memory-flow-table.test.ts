import { describe, expect, it } from 'vitest'
import { openDefinitions, openTable } from '../publication/open-flows.ts'
import { changing, describeFlowTable, publishing } from './contracts/flow-table.ts'

describeFlowTable('flows in memory', async () => openTable())

describe('bounds of flows in memory', () => {
  /** Each version is accounted with 2,500 bytes. */
  const ofLength = (name: string) => publishing(name, { text: name.padEnd(1000) })
  /** Room for three versions beside the audit. */
  const open = () => {
    const definitions = openDefinitions()
    return { table: openTable(definitions, 9000), definitions }
  }
  const versionsOf = async (table: ReturnType<typeof openTable>, publicId: string) =>
    (await table.versions(publicId)).map(({ version }) => version)

  it('let the versions go that were served the longest ago, and what is served never', async () => {
    const { table } = open()
    await table.change(changing('a', ofLength('a1')))
    for (const name of ['b1', 'b2', 'b3']) await table.change(changing('b', ofLength(name)))
    expect(await versionsOf(table, 'a')).toEqual([1])
    expect(await versionsOf(table, 'b')).toEqual([3, 2])
    expect(await table.change(changing('b', { kind: 'rollback', version: 1 }))).toEqual({
      state: 'not found',
    })
    await table.change(changing('b', { kind: 'rollback', version: 2 }))
    for (const name of ['a2', 'a3']) await table.change(changing('a', ofLength(name)))
    expect(await versionsOf(table, 'a')).toEqual([3, 2])
    expect(await versionsOf(table, 'b')).toEqual([2])
    expect(table.usage()).toMatchObject({ entries: 3, evicted: 3 })
    expect(table.usage().bytes).toBeLessThanOrEqual(9000)
  })

  it('refuse what does not fit beside what is served, and leave everything as it was', async () => {
    const { table } = open()
    for (const id of ['a', 'b', 'c']) await table.change(changing(id, ofLength(id)))
    await expect(table.change(changing('d', ofLength('d')))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
    expect((await table.list()).map(({ publicId }) => publicId)).toEqual(['a', 'b', 'c'])
    expect(await table.audit({ limit: 9 })).toHaveLength(3)
    expect(await table.change(changing('c', ofLength('d')))).toMatchObject({ entry: { version: 2 } })
    await table.change(changing('a', { kind: 'delete' }))
    expect(await table.change(changing('d', ofLength('d')))).toMatchObject({ entry: { version: 1 } })
  })

  it('let the oldest rows of the audit go', async () => {
    const { table } = open()
    const note = (subject: string) => table.note({ actor: 'ann', action: 'erase', subject, detail: '' })
    for (let nth = 0; nth < 50; nth++) await note(`flow-${nth}`)
    const rows = await table.audit({ limit: 100 })
    expect(rows.length).toBeLessThan(10)
    expect(rows[0]).toMatchObject({ number: 50, subject: 'flow-49' })
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => 50 - index))
  })

  it('hold the definitions of versions, and let those of others make room for others', async () => {
    const { table, definitions } = open()
    for (const name of ['b1', 'b2', 'b3', 'b4']) await table.change(changing('b', ofLength(name)))
    expect(['b1', 'b2', 'b3', 'b4'].map((name) => definitions.isRetained(`hash of ${name}`))).toEqual([
      false,
      true,
      true,
      true,
    ])
    // Sessions may still run it.
    expect(await definitions.get('hash of b1')).toBe('b1'.padEnd(1000))
    await table.change(changing('b', { kind: 'delete' }))
    expect(definitions.retained()).toEqual([])
  })
})
