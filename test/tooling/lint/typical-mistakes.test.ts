import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { checkFiles } from '../../../src/cli/lint-files/check-files.ts'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'
import { compileFlow } from '../../../src/engine/compile/compile-flow.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import { type FlowFinding, sentenceOf } from '../../../src/tooling/lint/finding.ts'
import { findingsOfProblems, inOneGo, lintFlow } from '../../../src/tooling/lint/lint-flow.ts'
import { unknownSurroundings } from '../../../src/tooling/lint/model/surroundings.ts'
import { inJson, type TypicalMistake } from './typical-mistakes/in-json.ts'
import { inYaml } from './typical-mistakes/in-yaml.ts'

/** What is said of a text, behind the line of which it is said. */
type Finder = (text: string) => Promise<readonly string[]> | readonly string[]

const inFile: Finder = async (text) => {
  const folder = await mkdtemp(join(tmpdir(), 'mistake-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'mine.json')
  await writeFile(path, text)
  const [file] = await checkFiles([path], {
    configFor: async () => ({}),
    rules: {},
    accounts: undefined,
    registry: blockRegistry,
  })
  const lines = text.split('\n')
  return (file?.findings ?? []).map(
    (finding) => `${lines[finding.range.start.line]} ▸ ${sentenceOf(finding)}`,
  )
}

const inText: Finder = (text) => {
  const { definition, problems, spanOf } = compileYamlFlow(text)
  const lineAt = (offset: number) => text.split('\n')[text.slice(0, offset).split('\n').length - 1]
  if (problems.length > 0) return problems.map(({ start, message }) => `${lineAt(start)} ▸ ${message}`)
  return findingsOf(definition).map(
    (finding) => `${lineAt(spanOf(finding.pointer).start)} ▸ ${sentenceOf(finding)}`,
  )
}

function findingsOf(definition: unknown): readonly FlowFinding[] {
  try {
    const flow = readDefinition(definition)
    const program = compileFlow(flow, blockRegistry, '')
    const handWritten = { $schema: 'flow.schema.json', ...Object(definition) }
    return inOneGo(lintFlow({ flow, program, definition: handWritten, surroundings: unknownSurroundings }))
      .findings
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return findingsOfProblems(error.problems ?? [])
  }
}

describe.each<[string, Finder, Readonly<Record<string, TypicalMistake>>]>([
  ['JSON', inFile, inJson],
  ['YAML', inText, inYaml],
])('a typical mistake in %s', (_, find, mistakes) => {
  it.each(Object.entries(mistakes))(
    'is found at its line, with what to write instead: %s',
    async (_name, { text, line, says }) => {
      const found = await find(text)
      const wanted = found.filter((said) => said.split(' ▸ ')[0]?.includes(line) && says.test(said))
      expect(wanted, found.join('\n')).toHaveLength(1)
    },
  )

  it('is one of the same forty', () => {
    expect(Object.keys(mistakes)).toEqual(Object.keys(inJson))
    expect(Object.keys(mistakes)).toHaveLength(40)
  })
})
