import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from '../support/call-command-line.ts'

const samples = join(import.meta.dirname, '../../flows')

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convert-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('flow-runtime convert', () => {
  it('writes each flow of a folder as YAML, which comes back as the same text', async () => {
    const [there, back, again] = [await emptyFolder(), await emptyFolder(), await emptyFolder()]
    expect(await callCommandLine(['convert', samples, '--out', there])).toMatchObject({ code: 0, err: '' })
    const files = await readdir(there)
    expect(files).toContain('coffee-bar.flow.yaml')
    const paths = files.map((file) => join(there, file))
    expect(await callCommandLine(['convert', ...paths, '--out', back])).toMatchObject({ code: 0, err: '' })
    // With the tests that name some of its ids.
    const tests = (await readdir(samples)).filter((file) => file.endsWith('.flowtest.yaml'))
    for (const file of tests) await cp(join(samples, file), join(back, file))
    expect(await callCommandLine(['convert', back, '--out', again])).toMatchObject({ code: 0, err: '' })
    for (const file of files)
      expect(await readFile(join(again, file), 'utf8')).toBe(await readFile(join(there, file), 'utf8'))
  })

  it('is a third of the JSON, and less', async () => {
    const folder = await emptyFolder()
    await callCommandLine(['convert', samples, '--out', folder])
    const sizeOf = async (path: string, ending: string) => {
      const files = (await readdir(path)).filter((file) => file.endsWith(ending))
      const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))
      return texts.join('').length
    }
    const [json, yaml] = [await sizeOf(samples, '.json'), await sizeOf(folder, '.flow.yaml')]
    expect(yaml / json).toBeLessThan(1 / 3)
  })

  it('keeps every id where it is asked to', async () => {
    const folder = await emptyFolder()
    await callCommandLine(['convert', join(samples, 'coffee-bar.json'), '--out', folder, '--keep-ids'])
    await callCommandLine(['convert', join(folder, 'coffee-bar.flow.yaml')])
    const idsIn = async (path: string) => {
      const { groups, variables, events } = JSON.parse(await readFile(path, 'utf8'))
      const idsOf = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id)
      const blocks = groups.flatMap(
        ({ blocks }: { blocks: { id: string; items?: { id: string }[] }[] }) => blocks,
      )
      const items = blocks.flatMap(({ items = [] }: { items?: { id: string }[] }) => items)
      return [groups, blocks, items, variables, events].map(idsOf)
    }
    expect(await idsIn(join(folder, 'coffee-bar.json'))).toEqual(
      await idsIn(join(samples, 'coffee-bar.json')),
    )
  })

  it('keeps the groups at which other flows enter', async () => {
    const folder = await emptyFolder()
    const flow = (id: string, options: object) => ({
      version: '6.1',
      id,
      events: [{ id: 's', type: 'start', outgoingEdgeId: 'e' }],
      groups: [{ id: 'g-entered', title: 'Entry', blocks: [{ id: 'l', type: 'Flow link', options }] }],
      edges: [{ id: 'e', to: { groupId: 'g-entered' } }],
    })
    await writeFile(join(folder, 'a.json'), JSON.stringify(flow('a', { flowId: 'b', groupId: 'g-entered' })))
    await writeFile(join(folder, 'b.json'), JSON.stringify(flow('b', { flowId: 'a' })))
    expect(await callCommandLine(['convert', folder])).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'b.flow.yaml'), 'utf8')).toContain('id: g-entered')
  })

  it('keeps the ids that tests beside a flow name: they pass with its YAML', async () => {
    const folder = await emptyFolder()
    await cp(samples, folder, { recursive: true })
    expect(await callCommandLine(['convert', folder])).toMatchObject({ code: 0, err: '' })
    const files = await readdir(folder)
    for (const file of files.filter((name) => name.endsWith('.flowtest.yaml'))) {
      const text = await readFile(join(folder, file), 'utf8')
      await writeFile(join(folder, file), text.replace(/^(flow: .*)\.json$/m, '$1.flow.yaml'))
    }
    for (const file of files.filter((name) => name.endsWith('.json'))) await rm(join(folder, file))
    const { code, out } = await callCommandLine(['test', folder])
    expect(out).toContain(' 0 failed')
    expect(code).toBe(0)
    expect(await readFile(join(folder, 'support-triage.flow.yaml'), 'utf8')).toContain('id: i-ok')
  })

  it('says which edges tests name, and which tests it can not read', async () => {
    const folder = await emptyFolder()
    await cp(join(samples, 'coffee-bar.json'), join(folder, 'coffee-bar.json'))
    const { edges } = JSON.parse(await readFile(join(folder, 'coffee-bar.json'), 'utf8'))
    const tests = `flow: coffee-bar\ntests:\n  - { name: a, steps: [{ went: [${edges[0].id}] }] }\n`
    await writeFile(join(folder, 'a.flowtest.yaml'), tests)
    const { err } = await callCommandLine(['convert', folder])
    expect(err).toContain(`tests name the edge "${edges[0].id}", which has another id in YAML`)
    await writeFile(join(folder, 'a.flowtest.yaml'), 'flow: [')
    const broken = await callCommandLine(['convert', folder, '--force'])
    expect(broken).toMatchObject({
      code: 0,
      err: expect.stringContaining('the tests beside it can not be read'),
    })
  })

  it('replaces nothing unless it is told to', async () => {
    const folder = await emptyFolder()
    await cp(join(samples, 'coffee-bar.json'), join(folder, 'a.json'))
    await writeFile(join(folder, 'a.flow.yaml'), 'mine')
    const { code, err } = await callCommandLine(['convert', folder])
    expect({ code, err }).toEqual({
      code: 1,
      err: `${join(folder, 'a.flow.yaml')} is there already: use --force to replace it\n`,
    })
    expect(await readFile(join(folder, 'a.flow.yaml'), 'utf8')).toBe('mine')
    expect(await callCommandLine(['convert', folder, '--force'])).toMatchObject({ code: 0 })
  })

  it.each([
    ['a.json', '{"id": 1}', /a\.json:1:8 \/id must be string/],
    ['a.flow.yaml', 'flow: a\ngroups:\n  A:\n    - go: B\n', /a\.flow\.yaml:4:11 no group is called "B"/],
  ])('names the place of what it can not take: %s', async (name, text, problem) => {
    const path = join(await emptyFolder(), name)
    await writeFile(path, text)
    const { code, err } = await callCommandLine(['convert', path])
    expect(code).toBe(1)
    expect(err).toMatch(problem)
  })

  it('says what it needs', async () => {
    expect(await callCommandLine(['convert'])).toMatchObject({ code: 2 })
  })
})
