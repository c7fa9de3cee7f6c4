import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changing, publishing } from '../../stores/contracts/flow-table.ts'
import { describePublishedFlows, type Source } from '../contracts/published-flows.ts'
import { openFlows, openTable } from '../open-flows.ts'

/** Published flows of files, and beside them those that were published over HTTP. */
async function open(files: readonly Source[], others: readonly Source[]) {
  const folder = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const { name, definition } of files)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(definition))
  const table = openTable()
  for (const { name, definition } of others) {
    const { publicId = name, isClosed = false, isArchived = false } = definition
    const text = JSON.stringify(definition)
    await table.change(changing(publicId, publishing(name, { text, isClosed, isArchived })))
  }
  const flows = await openFlows({ folder, table })
  onTestFinished(() => flows.close())
  return { flows, table, folder }
}

describePublishedFlows('published flows of one file, and others over HTTP', async (sources) => {
  const [first, ...others] = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return (await open(first ? [first] : [], others)).flows
})

describe('published flows of two sources', () => {
  const source = (id: string, publicId: string): Source => ({ name: publicId, definition: { id, publicId } })

  it('find no flow of the table by its id when a file has its public id, but another of that id', async () => {
    const first = [source('flow-1', 'shop')]
    const hidden = source('flow-2', 'shop')
    const { flows } = await open(first, [hidden])
    expect(await flows.byFlowId('flow-2')).toBeUndefined()
    const { flows: others } = await open(first, [hidden, source('flow-2', 'free')])
    expect((await others.byFlowId('flow-2'))?.publicId).toBe('free')
  })

  it('find a definition of the table by its id before a public id of a file', async () => {
    const { flows } = await open([source('flow-1', 'x')], [source('x', 'shop')])
    expect((await flows.byFlowId('x'))?.publicId).toBe('shop')
    expect((await flows.byFlowId('shop'))?.publicId).toBe('shop')
    expect((await flows.byPublicId('x'))?.flow.id).toBe('flow-1')
  })

  it('say which come from a file', async () => {
    const { flows } = await open([source('flow-1', 'a')], [source('flow-2', 'b')])
    expect((await flows.list()).map(({ file }) => file)).toEqual(['a.json', undefined])
  })

  it('leave what was published over HTTP as it was while a file has its public id', async () => {
    const { flows, table, folder } = await open([], [source('flow-2', 'shop')])
    const before = await table.find('shop')
    writeFileSync(join(folder, 'shop.json'), '{"id":"flow-1"}')
    await flows.rescan()
    expect((await flows.byPublicId('shop'))?.flow.id).toBe('flow-1')
    expect(await table.find('shop')).toEqual(before)
    rmSync(join(folder, 'shop.json'))
    await flows.rescan()
    expect((await flows.byPublicId('shop'))?.flow.id).toBe('flow-2')
    expect(await table.audit({ limit: 9 })).toHaveLength(1)
  })

  it('mark what a file hides, and not what a broken one would', async () => {
    const names = ['a', 'b', 'c', 'd']
    const { flows, folder } = await open(
      ['a', 'b'].map((name) => source(`file-${name}`, name)),
      names.map((name) => source(`flow-${name}`, name)),
    )
    for (const name of ['b', 'c']) writeFileSync(join(folder, `${name}.json`), '{')
    await flows.rescan()
    expect(flows.states().map(({ file, publicId, state }) => [file ?? publicId, state])).toEqual([
      ['a.json', 'published'],
      ['b.json', 'stale'],
      ['c.json', 'broken'],
      ['a', 'shadowed'],
      ['b', 'shadowed'],
      ['c', 'published'],
      ['d', 'published'],
    ])
  })
})
