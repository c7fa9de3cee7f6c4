import { describe, expect, it, onTestFinished } from 'vitest'
import { liveSession } from '../contracts/conversation-store.ts'
import { changing, describeFlowTable, entryOf, publishing } from '../contracts/flow-table.ts'
import { bindings, openEmbedded, temporaryFolder } from './embedded-store.ts'

const hourMs = 60 * 60 * 1000

async function open(changed: Parameters<typeof openEmbedded>[0] = {}) {
  const embedded = await openEmbedded(changed)
  onTestFinished(() => embedded.close())
  return { ...embedded, catalogue: embedded.flowTable }
}

for (const binding of bindings)
  describeFlowTable(`the catalogue of a data folder with ${binding}`, async () => {
    const { catalogue } = await open({ binding })
    return catalogue
  })

describe('the catalogue of a data folder', () => {
  it('is there again after a restart', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const before = first.flowTable
    await before.change(changing('shop', publishing('one')))
    const entry = entryOf(await before.change(changing('shop', { kind: 'set', isArchived: true })))
    await first.close()
    const { catalogue } = await open({ folder })
    expect(await catalogue.find('shop')).toEqual(entry)
    expect(await catalogue.definition('hash of one')).toBe('text of one')
    expect(await catalogue.audit({ limit: 9 })).toHaveLength(2)
  })

  it('keeps the definitions of all versions for as long as the flow is there', async () => {
    const { catalogue, folder, advance } = await open()
    for (const text of ['one', 'two']) await catalogue.change(changing('shop', publishing(text)))
    advance(5 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBe('text of one')
    await catalogue.change(changing('shop', { kind: 'delete' }))
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBe('text of one')
    advance(2 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBeUndefined()
    expect(await catalogue.definition('hash of two')).toBeUndefined()
  })

  it('keeps a definition that a flow file has too until both have gone', async () => {
    const { catalogue, folder, definitions, advance } = await open()
    const one = { hash: 'hash of one', text: 'text of one' }
    await definitions.retain([one])
    await catalogue.change(changing('shop', publishing('one')))
    await definitions.release([one.hash])
    advance(2 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBe('text of one')
    await definitions.retain([one])
    await catalogue.change(changing('shop', { kind: 'delete' }))
    advance(2 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBe('text of one')
    await definitions.release([one.hash])
    advance(2 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBeUndefined()
  })

  it('keeps the definition of a flow that was deleted for the sessions that run it', async () => {
    const {
      catalogue,
      folder,
      open: openStore,
      advance,
    } = await open({
      bounds: { sessionTtlMs: 100 * hourMs },
    })
    await catalogue.change(changing('shop', publishing('one')))
    const queue = [{ program: 'hash of one', flowId: 'flow-1', variables: [], answers: [] }]
    await openStore().start({ session: liveSession('s1', { queue }), results: [] })
    await catalogue.change(changing('shop', { kind: 'delete' }))
    advance(2 * hourMs)
    await folder.sweep()
    expect(await catalogue.definition('hash of one')).toBe('text of one')
  })
})
