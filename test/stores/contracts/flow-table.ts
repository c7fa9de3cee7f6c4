import { describe, expect, it } from 'vitest'
import type {
  CatalogueEntry,
  ChangeOutcome,
  FlowAction,
  FlowChange,
  FlowTable,
} from '../../../src/stores/flow-table.ts'

/** A definition, which here is a text and its hash. */
export const publishing = (
  name: string,
  flags: Partial<FlowAction & { kind: 'publish' }> = {},
): FlowAction => ({
  kind: 'publish',
  hash: `hash of ${name}`,
  text: `text of ${name}`,
  isClosed: false,
  isArchived: false,
  ...flags,
})

/** Changes a flow as one operator does. */
export const changing = (publicId: string, action: FlowAction, expected?: readonly number[]): FlowChange => ({
  publicId,
  actor: 'ann',
  expected,
  action,
})

/** The entry that a change led to. */
export function entryOf(outcome: ChangeOutcome): CatalogueEntry {
  if (!('entry' in outcome) || !outcome.entry) throw new Error(`no entry: ${JSON.stringify(outcome)}`)
  return outcome.entry
}

/** Defines what a catalogue of flows is: each implementation has to pass. `open` opens an empty one. */
export function describeFlowTable(name: string, open: () => Promise<FlowTable>): void {
  const rollback = (version: number): FlowAction => ({ kind: 'rollback', version })
  const deletion: FlowAction = { kind: 'delete' }

  describe(name, () => {
    it('knows nothing at first', async () => {
      const catalogue = await open()
      expect(await catalogue.list()).toEqual([])
      expect(await catalogue.find('shop')).toBeUndefined()
      expect(await catalogue.versions('shop')).toEqual([])
      expect(await catalogue.definition('hash of one')).toBeUndefined()
      expect(await catalogue.audit({ limit: 10 })).toEqual([])
    })

    it('publishes version after version, and keeps each', async () => {
      const catalogue = await open()
      const first = await catalogue.change(changing('shop', publishing('one')))
      const second = await catalogue.change({ ...changing('shop', publishing('two')), actor: 'bob' })
      expect([first.state, second.state]).toEqual(['changed', 'changed'])
      const { publishedAt, ...entry } = entryOf(second)
      expect(entry).toEqual({
        publicId: 'shop',
        version: 2,
        hash: 'hash of two',
        publishedBy: 'bob',
        isClosed: false,
        isArchived: false,
      })
      expect(await catalogue.find('shop')).toEqual(entryOf(second))
      expect(await catalogue.list()).toEqual([entryOf(second)])
      expect(await catalogue.versions('shop')).toEqual([
        { version: 2, hash: 'hash of two', publishedAt, publishedBy: 'bob' },
        { version: 1, hash: 'hash of one', publishedAt: entryOf(first).publishedAt, publishedBy: 'ann' },
      ])
      expect(await catalogue.definition('hash of one')).toBe('text of one')
      expect(await catalogue.definition('hash of two')).toBe('text of two')
    })

    it('lists flows in the order of their public ids by their characters', async () => {
      const catalogue = await open()
      for (const id of ['b', 'a-b', 'aa', 'A', 'a']) await catalogue.change(changing(id, publishing(id)))
      expect((await catalogue.list()).map(({ publicId }) => publicId)).toEqual(['A', 'a', 'a-b', 'aa', 'b'])
    })

    it('keeps one definition for flows that share it', async () => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one')))
      await catalogue.change(changing('copy', publishing('one')))
      await catalogue.change(changing('copy', deletion))
      expect(await catalogue.definition('hash of one')).toBe('text of one')
    })

    it('makes no version of what is published already', async () => {
      const catalogue = await open()
      const first = entryOf(await catalogue.change(changing('shop', publishing('one'))))
      expect(await catalogue.change({ ...changing('shop', publishing('one')), actor: 'bob' })).toEqual({
        state: 'unchanged',
        entry: first,
      })
      expect(await catalogue.versions('shop')).toHaveLength(1)
      expect(await catalogue.audit({ limit: 10 })).toHaveLength(1)
    })

    it('makes a version of what was published before another', async () => {
      const catalogue = await open()
      for (const text of ['one', 'two', 'one']) await catalogue.change(changing('shop', publishing(text)))
      expect(await catalogue.find('shop')).toMatchObject({ version: 3, hash: 'hash of one' })
    })

    it('goes back to a version as it was published, and numbers the next one on', async () => {
      const catalogue = await open()
      const first = entryOf(await catalogue.change(changing('shop', publishing('one'))))
      await catalogue.change(changing('shop', publishing('two')))
      const back = await catalogue.change({ ...changing('shop', rollback(1)), actor: 'bob' })
      expect(back).toEqual({ state: 'changed', entry: first })
      expect(await catalogue.versions('shop')).toHaveLength(2)
      expect(await catalogue.change(changing('shop', rollback(1)))).toMatchObject({ state: 'unchanged' })
      const third = await catalogue.change(changing('shop', publishing('three')))
      expect(entryOf(third).version).toBe(3)
    })

    it('closes and archives a flow, whatever version it has', async () => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one')))
      await catalogue.change(changing('shop', { kind: 'set', isClosed: true }))
      const archived = await catalogue.change(changing('shop', { kind: 'set', isArchived: true }))
      expect(archived).toMatchObject({ state: 'changed', entry: { isClosed: true, isArchived: true } })
      const same = await catalogue.change(changing('shop', { kind: 'set', isClosed: true }))
      expect(same).toEqual({ state: 'unchanged', entry: entryOf(archived) })
      const next = await catalogue.change(changing('shop', publishing('two', { isClosed: false })))
      expect(entryOf(next)).toMatchObject({ version: 2, isClosed: true, isArchived: true })
    })

    it('takes the flags of a definition that is published for the first time', async () => {
      const catalogue = await open()
      const closed = await catalogue.change(changing('shop', publishing('one', { isClosed: true })))
      expect(entryOf(closed)).toMatchObject({ isClosed: true, isArchived: false })
    })

    it('deletes a flow with its versions, and uses no number of them again', async () => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one', { isClosed: true })))
      await catalogue.change(changing('shop', publishing('two')))
      expect(await catalogue.change(changing('shop', deletion))).toEqual({
        state: 'changed',
        entry: undefined,
      })
      expect(await catalogue.list()).toEqual([])
      expect(await catalogue.find('shop')).toBeUndefined()
      expect(await catalogue.versions('shop')).toEqual([])
      const again = await catalogue.change(changing('shop', publishing('two')))
      expect(again).toMatchObject({ state: 'changed', entry: { version: 3, isClosed: false } })
    })

    it.each([rollback(1), deletion, { kind: 'set', isClosed: true } as const])(
      'finds no flow for %j',
      async (action) => {
        const catalogue = await open()
        expect(await catalogue.change(changing('shop', action))).toEqual({ state: 'not found' })
        await catalogue.change(changing('shop', publishing('one')))
        await catalogue.change(changing('shop', deletion))
        expect(await catalogue.change(changing('shop', action))).toEqual({ state: 'not found' })
      },
    )

    it.each([0, 2, -1])('finds no version %d to go back to', async (version) => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one')))
      expect(await catalogue.change(changing('shop', rollback(version)))).toEqual({ state: 'not found' })
      expect(await catalogue.find('shop')).toMatchObject({ version: 1 })
    })

    it.each([publishing('three'), rollback(1), deletion, { kind: 'set', isClosed: true } as const])(
      'does %j only to a version that is expected',
      async (action) => {
        const catalogue = await open()
        for (const text of ['one', 'two']) await catalogue.change(changing('shop', publishing(text)))
        const before = await catalogue.find('shop')
        for (const expected of [[], [1], [0, 3]])
          expect(await catalogue.change(changing('shop', action, expected))).toEqual({
            state: 'other version',
            version: 2,
          })
        expect(await catalogue.find('shop')).toEqual(before)
        expect(await catalogue.audit({ limit: 10 })).toHaveLength(2)
        const done = await catalogue.change(changing('shop', action, [1, 2]))
        expect(done.state).toBe('changed')
      },
    )

    it('publishes where nothing is expected only what is not there', async () => {
      const catalogue = await open()
      const first = await catalogue.change(changing('shop', publishing('one'), [0]))
      expect(first.state).toBe('changed')
      expect(await catalogue.change(changing('shop', publishing('two'), [0]))).toEqual({
        state: 'other version',
        version: 1,
      })
    })

    it('lets one of two editors win who begin with the same version', async () => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one')))
      const texts = ['two', 'three', 'four', 'five']
      const outcomes = await Promise.all(
        texts.map((text) => catalogue.change(changing('shop', publishing(text), [1]))),
      )
      expect(outcomes.filter(({ state }) => state === 'changed')).toHaveLength(1)
      expect(outcomes.filter(({ state }) => state === 'other version')).toHaveLength(3)
      expect(await catalogue.versions('shop')).toHaveLength(2)
    })

    it('numbers versions that are published at once without a gap', async () => {
      const catalogue = await open()
      const texts = Array.from({ length: 8 }, (_, index) => `text ${index}`)
      await Promise.all(texts.map((text) => catalogue.change(changing('shop', publishing(text)))))
      const versions = await catalogue.versions('shop')
      expect(versions.map(({ version }) => version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
      expect(new Set(versions.map(({ hash }) => hash)).size).toBe(8)
    })

    it('says who changed what, the latest first, also of a flow that has gone', async () => {
      const catalogue = await open()
      await catalogue.change(changing('shop', publishing('one')))
      await catalogue.change(changing('shop', publishing('two')))
      await catalogue.change({ ...changing('shop', rollback(1)), actor: 'bob' })
      await catalogue.change(changing('shop', { kind: 'set', isClosed: true }))
      await catalogue.change(changing('shop', deletion))
      const rows = await catalogue.audit({ limit: 10 })
      expect(rows.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).toEqual([
        ['ann', 'delete', 'shop', 'version 1'],
        ['ann', 'set', 'shop', 'isClosed true, isArchived false'],
        ['bob', 'rollback', 'shop', 'version 2 to 1'],
        ['ann', 'publish', 'shop', 'version 2'],
        ['ann', 'publish', 'shop', 'version 1'],
      ])
      expect(rows.every(({ at }) => Number.isSafeInteger(at) && at > 0)).toBe(true)
      const [first, second, third] = rows
      expect(await catalogue.audit({ limit: 1 })).toEqual([first])
      expect(await catalogue.audit({ before: first?.number ?? 0, limit: 2 })).toEqual([second, third])
    })

    it('says what was erased of a flow, also of one that it does not have', async () => {
      const catalogue = await open()
      const entry = { actor: 'ann', action: 'erase', subject: 'elsewhere', detail: '7 results' } as const
      await catalogue.note(entry)
      const [row] = await catalogue.audit({ limit: 1 })
      expect(row).toEqual({ ...entry, number: row?.number, at: row?.at })
      expect(row?.at).toBeGreaterThan(0)
    })

    it('says what was done by words that hold what a database can not', async () => {
      const catalogue = await open()
      await catalogue.note({ actor: 'ann', action: 'pause', subject: 'a\0b', detail: 'for \0x' })
      const [row] = await catalogue.audit({ limit: 1 })
      expect(row).toMatchObject({ actor: 'ann', action: 'pause' })
      expect(row?.detail).toMatch(/^for .x$/s)
    })
  })
}
