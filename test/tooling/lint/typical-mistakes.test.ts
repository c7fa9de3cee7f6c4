import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FileFinding } from '../../../src/cli/lint-files/flow-file.ts'
import { sentenceOf } from '../../../src/tooling/lint/finding.ts'
import { callCommandLine } from '../../support/call-command-line.ts'
import { inJson, type TypicalMistake } from './typical-mistakes/in-json.ts'
import { inYaml } from './typical-mistakes/in-yaml.ts'

/** What is said of the text of a file, behind the line of which it is said. */
async function findIn(name: string, text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mistake-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), text)
  const { out } = await callCommandLine(['lint', folder, '--format', 'json'])
  const lines = text.split('\n')
  const [file]: readonly { readonly findings: readonly FileFinding[] }[] = JSON.parse(out).files
  return (file?.findings ?? []).map(
    (finding) => `${lines[finding.range.start.line]} ▸ ${sentenceOf(finding)}`,
  )
}

describe.each<[string, string, Readonly<Record<string, TypicalMistake>>]>([
  ['JSON', 'mine.json', inJson],
  ['YAML', 'mine.flow.yaml', inYaml],
])('a typical mistake in %s', (_, name, mistakes) => {
  it.each(Object.entries(mistakes))(
    'is found at its line, with what to write instead: %s',
    async (_name, { text, line, says }) => {
      const found = await findIn(name, text)
      const wanted = found.filter((said) => said.split(' ▸ ')[0]?.includes(line) && says.test(said))
      expect(wanted, found.join('\n')).toHaveLength(1)
    },
  )

  it('is one of the same forty', () => {
    expect(Object.keys(mistakes)).toEqual(Object.keys(inJson))
    expect(Object.keys(mistakes)).toHaveLength(40)
  })
})
