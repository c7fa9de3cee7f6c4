import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { checkFiles } from '../../../src/cli/lint-files/check-files.ts'
import { sentenceOf } from '../../../src/tooling/lint/finding.ts'
import { inJson } from './typical-mistakes/in-json.ts'

/** What is said of a file, with the line at which it is said. */
async function findingsIn(name: string, text: string): Promise<readonly string[]> {
  const path = join(await mkdtemp(join(tmpdir(), 'mistake-')), name)
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

describe('a typical mistake', () => {
  it.each(Object.entries(inJson))(
    'in JSON is found at its line, with what to write instead: %s',
    async (_, { text, line, says }) => {
      const found = await findingsIn('mine.json', text)
      const wanted = found.filter((said) => said.split(' ▸ ')[0]?.includes(line) && says.test(said))
      expect(wanted, found.join('\n')).toHaveLength(1)
    },
  )

  it('is one of forty', () => {
    expect(Object.keys(inJson)).toHaveLength(40)
  })
})
