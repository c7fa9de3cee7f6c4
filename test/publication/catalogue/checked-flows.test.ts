import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { contentHash } from '../../../src/definition/content-hash.ts'
import type { FlowCatalogue } from '../../../src/publication/catalogue/flow-catalogue.ts'
import type { DefinitionStore } from '../../../src/stores/definition-store.ts'
import { openDefinitions, openFlows } from '../open-flows.ts'
import { publishText } from '../publish-text.ts'

const timing = { debounceMs: 3_600_000, retryMs: 1, rescanMs: 3_600_000, missingMs: 3_600_000 }

/** Enough that they are not looked at one by one at the start. */
const many = 60

/** A folder of flows and a store that outlives the processes which serve it. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'checked-flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (let nth = 0; nth < many; nth++) {
    write(`json-${nth}.json`, `{ "id": "j${nth}", "name": "Flow ${nth}", "isClosed": ${nth === 3} }`)
    write(`yaml-${nth}.flow.yaml`, `flow: y${nth}\ngroups:\n  Start:\n    - Hello\n`)
  }
  const definitions = openDefinitions()

  /** Serves the folder in the next process. */
  async function start(build: string, store: DefinitionStore = definitions) {
    const compiled: string[] = []
    const told: string[] = []
    const note = (_details: object, message: string) => void told.push(message)
    const flows = await openFlows({
      folder,
      timing,
      definitions: { ...definitions, ...store },
      build,
      report: { info: () => undefined, warn: note, error: note },
      publish(text) {
        const made = publishText(text)
        compiled.push(made.flow.id)
        return made
      },
    })
    onTestFinished(() => flows.close())
    return { flows, compiled, told }
  }
  return { write, start, definitions }
}

const statesOf = (flows: FlowCatalogue) => flows.states().map(({ findings: _, ...state }) => state)

it('compiles a file that the process before found good once it is asked for, and says the same of it', async () => {
  const { start } = setUp()
  const first = await start('b1')
  expect(first.compiled).toHaveLength(2 * many)
  const second = await start('b1')
  expect(second.compiled).toEqual([])
  expect(statesOf(second.flows)).toEqual(statesOf(first.flows))
  const found = await second.flows.byFlowId('y7')
  expect(found?.publicId).toBe('yaml-7')
  expect([found?.flow.id, found?.program.hash]).toEqual([
    'y7',
    (await first.flows.byFlowId('y7'))?.program.hash,
  ])
  expect(second.compiled).toEqual(['y7'])
  await second.flows.inspected()
  expect(second.compiled).toHaveLength(2 * many)
})

it('compiles all for whoever lists them', async () => {
  const { start } = setUp()
  await start('b1')
  const { flows, compiled } = await start('b1')
  const listed = await flows.list()
  expect([listed.length, compiled.length]).toEqual([2 * many, 2 * many])
})

it('reads what has changed, what another build found good, and what the store has lost', async () => {
  const { write, start, definitions } = setUp()
  await start('b1')
  write('json-1.json', '{"id":"changed"}')
  expect((await start('b1')).compiled).toEqual(['changed'])
  expect((await start('b2')).compiled).toHaveLength(2 * many)
  const lost = contentHash('{"id":"changed"}')
  const getAll = async (hashes: readonly string[]) =>
    definitions.getAll(hashes.filter((hash) => hash !== lost))
  expect((await start('b1', { ...definitions, getAll })).compiled).toEqual(['changed'])
  const away = () => Promise.reject(new Error('away'))
  expect((await start('b1', { ...definitions, getAll: away })).compiled).toHaveLength(2 * many)
})

it('refuses a broken file at each start', async () => {
  const { write, start } = setUp()
  write('broken.json', '{"name":"no id"}')
  for (let nth = 0; nth < 2; nth++) {
    const { flows, told } = await start('b1')
    expect(told).toEqual(['flow file is broken: it is not published'])
    expect(flows.states().find(({ file }) => file === 'broken.json')).toMatchObject({ state: 'broken' })
  }
})

it('lets go of what it knew of a text that is served no more', async () => {
  const { write, start, definitions } = setUp()
  const { flows } = await start('b1')
  const before = definitions.retained().length
  write('json-1.json', '{"id":"changed"}')
  await flows.rescan()
  expect(definitions.retained()).toHaveLength(before)
  expect(definitions.retained().filter(({ hash }) => hash.startsWith('file-'))).toHaveLength(2 * many)
})
