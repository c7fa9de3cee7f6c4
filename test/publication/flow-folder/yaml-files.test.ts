import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ServiceError } from '../../../src/lib/errors.ts'
import { openFlows } from '../open-flows.ts'
import { publishText } from '../publish-text.ts'

const yaml = (steps: string) => `flow: table\nvariables: [Name]\ngroups:\n  Welcome:\n${steps}`
const greeting = yaml('    - Hello\n    - ask: Your name?\n      into: Name\n')

async function open(files: Readonly<Record<string, string>>, options: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'yaml-flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const told: object[] = []
  const note = (details: object, message: string) => told.push({ ...details, message })
  const report = { info: () => undefined, warn: note, error: note }
  const timing = { debounceMs: 3_600_000, retryMs: 1, rescanMs: 3_600_000, missingMs: 3_600_000 }
  const flows = await openFlows({ folder, report, timing, ...options })
  onTestFinished(() => flows.close())
  return { flows, write, told: () => told.splice(0) }
}

const idsOf = async ({ flows }: Awaited<ReturnType<typeof open>>) =>
  (await flows.list()).map(({ publicId }) => publicId)

it('publishes flows in YAML beside those in JSON, under the names of their files', async () => {
  const opened = await open({
    'table.flow.yaml': greeting,
    'other.json': '{"id":"o"}',
    'table.flowtest.yaml': 'flow: table.flow.yaml',
    'notes.yaml': 'a: b',
  })
  expect(await idsOf(opened)).toEqual(['other', 'table'])
  const published = await opened.flows.byPublicId('table')
  expect([published?.flow.id, published?.file]).toEqual(['table', 'table.flow.yaml'])
})

it('takes each save, keeps the last good one of a broken file, and names the line of the mistake', async () => {
  const opened = await open({ 'table.flow.yaml': `name: A\n${greeting}` })
  const nameOf = async () => (await opened.flows.byPublicId('table'))?.flow.name
  opened.write('table.flow.yaml', `name: B\n${greeting}`)
  await opened.flows.rescan()
  expect(await nameOf()).toBe('B')
  opened.write('table.flow.yaml', `name: C\n${greeting.replace('into: Name', 'into: Nmae')}`)
  await opened.flows.rescan()
  expect(await nameOf()).toBe('B')
  const problem = {
    pointer: '',
    message: expect.stringContaining('did you mean "Name"'),
    place: 'table.flow.yaml:8:13',
  }
  expect(opened.told()).toEqual([expect.objectContaining({ file: 'table.flow.yaml', problems: [problem] })])
  expect(opened.flows.states()).toEqual([expect.objectContaining({ state: 'stale', problems: [problem] })])
})

it('names the lines of what the definition breaks, and of findings', async () => {
  const finding = { code: 'loop', severity: 'error', pointer: '/groups/0/blocks/2', hint: 'Leave it.' }
  const inspect = async () => [finding]
  const { told, flows } = await open({ 'a.flow.yaml': greeting }, { inspect })
  const { severity: _, ...shown } = finding
  expect(told()).toEqual([expect.objectContaining({ ...shown, place: 'a.flow.yaml:6:7' })])
  expect(flows.states()[0]?.findings).toEqual([{ ...finding, place: 'a.flow.yaml:6:7' }])

  const publish = () => {
    throw new ServiceError('BAD_REQUEST', 'no', {
      problems: [{ pointer: '/groups/0/blocks/0', message: 'no' }],
    })
  }
  const broken = await open({ 'a.flow.yaml': greeting }, { publish })
  expect(broken.flows.states()[0]?.problems).toEqual([
    { pointer: '/groups/0/blocks/0', message: 'no', place: 'a.flow.yaml:5:7' },
  ])
})

it('publishes the first by name of two files with one public id, and says so', async () => {
  const { told, flows } = await open({ 'table.flow.yaml': greeting, 'table.json': '{"id":"old"}' })
  expect((await flows.byPublicId('table'))?.flow.id).toBe('table')
  expect(told()).toEqual([
    {
      file: 'table.json',
      publicId: 'table',
      publishedFrom: 'table.flow.yaml',
      message: 'two flow files have one public id: the first by name is published',
    },
  ])
})

it('compiles a file again only when it has changed', async () => {
  let compiled = 0
  const publish = (text: string) => {
    compiled += 1
    return publishText(text)
  }
  const { flows, write } = await open({ 'a.flow.yaml': greeting }, { publish })
  await flows.rescan()
  expect(compiled).toBe(1)
  write('a.flow.yaml', `# A comment\n${greeting}`)
  await flows.rescan()
  expect(compiled).toBe(2)
})
