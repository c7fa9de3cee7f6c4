import { it } from 'vitest'
import { readConformanceFiles } from '../../support/conformance.ts'
import { expectSameByYaml } from '../../support/same-by-yaml.ts'

/** The others are in behaviour-of-blocks.test.ts: a file of tests is to answer soon. */
const files = readConformanceFiles().filter(({ path }) => !/^(?:bubbles|inputs|logic)\b/.test(path))

it.each(files)('behaves the same by way of YAML: $path', async ({ cases }) => {
  for (const testCase of cases) await expectSameByYaml(testCase)
})
