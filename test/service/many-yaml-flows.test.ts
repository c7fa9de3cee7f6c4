import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openYamlBatch } from '../../src/publication/flow-folder/read-yaml-flow.ts'
import { openFlows } from '../publication/open-flows.ts'

const folder = mkdtempSync(join(tmpdir(), 'yaml-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const textOf = (index: number, step: string) => `flow: f${index}\ngroups:\n  Start:\n    - ${step}\n`

it('compiles many flows of a folder beside what is made of them, and names the lines of those that are wrong', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `f${index}.flow.yaml`)
  for (const [index, name] of names.entries())
    writeFileSync(join(folder, name), textOf(index, index === 70 ? 'jump: Nowhere' : `Hello ${index}`))
  const flows = await openFlows({
    folder,
    timing: { debounceMs: 1, retryMs: 1, rescanMs: 1e6, missingMs: 1 },
  })
  const served = await flows.list()
  expect(served.map(({ flow }) => flow.id).sort()).toEqual(
    names.flatMap((_, index) => (index === 70 ? [] : `f${index}`)).sort(),
  )
  expect(flows.states().find(({ state }) => state === 'broken')).toMatchObject({
    file: 'f70.flow.yaml',
    problems: [{ place: 'f70.flow.yaml:4:13', message: expect.stringContaining('no group is called') }],
  })
  await flows.close()
})

it('answers in the order of the questions, and leaves long texts to others', async () => {
  const batch = openYamlBatch()
  const answers = await Promise.all([0, 1, 2].map((index) => batch.begin(textOf(index, 'Hello'))))
  expect(answers.map((answer) => JSON.parse(answer?.json ?? '').id)).toEqual(['f0', 'f1', 'f2'])
  expect(batch.begin(textOf(3, 'x'.repeat(20_000)))).toBeUndefined()
  await batch.close()
})
