import { describe, expect, it, onTestFinished } from 'vitest'
import { type FlowCatalogue, openFlowCatalogue } from '../../../src/publication/catalogue/flow-catalogue.ts'
import type { FlowAction, FlowTable } from '../../../src/stores/flow-table.ts'
import { changing, publishing } from '../../stores/contracts/flow-table.ts'
import { openEmbedded } from '../../stores/sqlite/embedded-store.ts'
import { openDefinitions } from '../open-flows.ts'
import { findingsInText, publishText } from '../publish-text.ts'

/** Publishes a definition under the hash of its text. */
function definition(id: string, more: object = {}): FlowAction {
  const text = JSON.stringify({ id, ...more })
  return publishing(text, { text })
}

/** A text that compiles for others, and not here. */
const foreign = publishing('foreign', { text: '{"foreign":true}' })

/** A table that another process changes too: its changes are found out by `hint`. */
async function openCatalogue() {
  const embedded = await openEmbedded()
  onTestFinished(() => embedded.close())
  const listeners = new Set<() => Promise<void>>()
  const catalogue: FlowTable = {
    ...embedded.flowTable,
    follow(onChange) {
      listeners.add(onChange)
      return async () => void listeners.delete(onChange)
    },
  }
  return { catalogue, listeners, hint: () => [...listeners].forEach((listener) => void listener()) }
}

async function serve(table: FlowTable, lines: string[] = []): Promise<FlowCatalogue> {
  const log = (_details: object, message: string) => void lines.push(message)
  const flows = await openFlowCatalogue({
    table,
    definitions: openDefinitions(),
    publish: publishText,
    inspect: findingsInText,
    report: { info: log, warn: log, error: log },
  })
  onTestFinished(() => flows.close())
  return flows
}

describe('the flows of a catalogue', () => {
  it('are there from the start, by both ids', async () => {
    const { catalogue } = await openCatalogue()
    await catalogue.change(changing('shop', definition('flow-1')))
    const flows = await serve(catalogue)
    const found = await flows.byPublicId('shop')
    expect(found).toMatchObject({ publicId: 'shop', isClosed: false, isArchived: false })
    expect(found?.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(await flows.byFlowId('flow-1')).toBe(found)
    expect(await flows.list()).toEqual([found])
  })

  it('are loaded together, in their order, a bounded number at once', async () => {
    const { catalogue } = await openCatalogue()
    const ids = Array.from({ length: 40 }, (_, nth) => `flow-${nth + 10}`)
    for (const id of ids) await catalogue.change(changing(id, definition(id)))
    let running = 0
    let most = 0
    const flows = await serve({
      ...catalogue,
      async definition(hash) {
        most = Math.max(most, ++running)
        const text = await catalogue.definition(hash)
        running--
        return text
      },
    })
    expect(flows.states().map(({ publicId }) => publicId)).toEqual(ids)
    expect(most).toBe(16)
  })

  it('stay the same objects until they change', async () => {
    const { catalogue } = await openCatalogue()
    for (const id of ['one', 'two']) await catalogue.change(changing(id, definition(id)))
    const flows = await serve(catalogue)
    const [one, two] = await flows.list()
    await catalogue.change(changing('two', { kind: 'set', isClosed: true }))
    await flows.refresh()
    expect(await flows.byPublicId('one')).toBe(one)
    const closed = await flows.byPublicId('two')
    expect(closed).toEqual({ ...two, isClosed: true })
    expect(closed?.program).toBe(two?.program)
  })

  it('follow what others change', async () => {
    const { catalogue, hint } = await openCatalogue()
    const flows = await serve(catalogue)
    await catalogue.change(changing('shop', definition('flow-1')))
    expect(await flows.byPublicId('shop')).toBeUndefined()
    hint()
    await flows.refresh()
    expect(await flows.byPublicId('shop')).toMatchObject({ flow: { id: 'flow-1' } })
    await catalogue.change(changing('shop', { kind: 'delete' }))
    hint()
    await expect.poll(() => flows.byPublicId('shop')).toBeUndefined()
  })

  it('are looked up one by one as they change, and found as if all were', async () => {
    const { catalogue } = await openCatalogue()
    let listed = 0
    const list = () => {
      listed += 1
      return catalogue.list()
    }
    const flows = await serve({ ...catalogue, list })
    const ids = ['c', 'a', 'd', 'b']
    const flowIds = ['flow-1', 'flow-2', 'c']
    const step = (nth: number): [string, FlowAction] => {
      const publicId = ids[(nth * 7) % 4] as string
      if (nth % 6 === 5) return [publicId, { kind: 'delete' }]
      if (nth % 4 === 3) return [publicId, { kind: 'set', isClosed: nth % 8 === 3 }]
      return [publicId, definition(flowIds[(nth * 5) % 3] as string, { name: `${nth}` })]
    }
    for (let nth = 0; nth < 60; nth++) {
      const [publicId, action] = step(nth)
      await catalogue.change(changing(publicId, action))
      await flows.refresh([publicId])
      const afresh = await serve(catalogue)
      expect(await flows.list()).toEqual(await afresh.list())
      for (const id of [...ids, ...flowIds]) {
        expect(await flows.byPublicId(id)).toEqual(await afresh.byPublicId(id))
        expect(await flows.byFlowId(id)).toEqual(await afresh.byFlowId(id))
      }
    }
    expect(listed).toBe(1)
  })

  it('are tried again with the next change where they could not be read', async () => {
    const { catalogue } = await openCatalogue()
    let isAway = false
    const read: FlowTable['definition'] = (hash) =>
      isAway ? Promise.reject(new Error('away')) : catalogue.definition(hash)
    const flows = await serve({ ...catalogue, definition: read })
    isAway = true
    await catalogue.change(changing('shop', definition('flow-1')))
    await flows.refresh(['shop'])
    expect(await flows.byPublicId('shop')).toBeUndefined()
    isAway = false
    await catalogue.change(changing('other', definition('flow-2')))
    await flows.refresh(['other'])
    expect(await flows.byPublicId('shop')).toBeDefined()
  })

  it('are all looked up again where a change could not be', async () => {
    const { catalogue } = await openCatalogue()
    let isAway = false
    const find: FlowTable['find'] = (publicId) =>
      isAway ? Promise.reject(new Error('away')) : catalogue.find(publicId)
    const flows = await serve({ ...catalogue, find })
    isAway = true
    await catalogue.change(changing('shop', definition('flow-1')))
    await expect(flows.refresh(['shop'])).rejects.toThrow('away')
    await catalogue.change(changing('other', definition('flow-2')))
    await flows.refresh(['other'])
    expect((await flows.list()).map(({ publicId }) => publicId)).toEqual(['other', 'shop'])
  })

  it('are followed no more once they are closed', async () => {
    const { catalogue, listeners } = await openCatalogue()
    const flows = await serve(catalogue)
    expect(listeners.size).toBe(1)
    await flows.close()
    expect(listeners.size).toBe(0)
  })

  it('keep the last version that this build can run, and say so', async () => {
    const { catalogue } = await openCatalogue()
    await catalogue.change(changing('shop', definition('flow-1')))
    const lines: string[] = []
    const flows = await serve(catalogue, lines)
    const last = await flows.byPublicId('shop')
    await catalogue.change(changing('shop', foreign))
    await flows.refresh()
    expect(await flows.byPublicId('shop')).toBe(last)
    expect(flows.states()).toMatchObject([
      { publicId: 'shop', version: 2, state: 'stale', problems: [{ pointer: '/id' }] },
    ])
    expect(lines.at(-1)).toContain('the last one that could be stays published')
    await catalogue.change(changing('shop', { kind: 'rollback', version: 1 }))
    await flows.refresh()
    expect(flows.states()).toMatchObject([{ version: 1, state: 'published', problems: [] }])
  })

  it('are broken where there is no such version, and hold up no others', async () => {
    const { catalogue } = await openCatalogue()
    await catalogue.change(changing('a', foreign))
    await catalogue.change(changing('b', definition('flow-b')))
    const flows = await serve(catalogue)
    expect(await flows.byPublicId('a')).toBeUndefined()
    expect(await flows.byPublicId('b')).toBeDefined()
    expect(flows.states()).toMatchObject([
      { publicId: 'a', state: 'broken' },
      { publicId: 'b', state: 'published', flowId: 'flow-b' },
    ])
  })

  it('stay while the catalogue can not be looked up', async () => {
    const { catalogue } = await openCatalogue()
    await catalogue.change(changing('shop', definition('flow-1')))
    let isAway = false
    const list = () => (isAway ? Promise.reject(new Error('away')) : catalogue.list())
    const flows = await serve({ ...catalogue, list })
    isAway = true
    await expect(flows.refresh()).rejects.toThrow('away')
    expect(await flows.byPublicId('shop')).toBeDefined()
  })

  it('show what their authors should know, up to a hundred things', async () => {
    const { catalogue } = await openCatalogue()
    const findings = Array.from({ length: 101 }, (_, index) => ({ pointer: `/${index}` }))
    await catalogue.change(changing('shop', definition('flow-1', { findings })))
    const [state] = (await serve(catalogue)).states()
    expect(state?.findings).toEqual(findings.slice(0, 100))
  })
})
