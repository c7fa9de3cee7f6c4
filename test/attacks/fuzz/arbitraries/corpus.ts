import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { twinOfVersion3, twinOfVersion6 } from '../../../fixtures/twin-flows.ts'
import { readConformanceFiles } from '../../../support/conformance.ts'
import type { Json } from '../../../support/json.ts'

const tests = join(import.meta.dirname, '../../..')
const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))

const cases = readConformanceFiles().flatMap((file) => file.cases)

const flowsFolder = join(tests, '../flows')

/** The sample flows, by the names they are published under. */
export const sampleFlows: ReadonlyMap<string, Json> = new Map(
  readdirSync(flowsFolder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name.replace('.json', ''), readJson(join(flowsFolder, name))]),
)

/** Definitions that are valid, of every version and with every block; the shortest first, which failures shrink to. */
export const validDefinitions: readonly Json[] = distinct([
  ...sampleFlows.values(),
  twinOfVersion3,
  twinOfVersion6,
  ...cases.map(({ definition }) => definition),
])

/** What starts are asked for, beside a definition. */
export const startBodies: readonly Json[] = distinct(
  cases.flatMap(({ request, publicRequest, previewRequest }) => [
    { ...request, ...publicRequest },
    { ...request, ...previewRequest },
  ]),
)

/** What continues say. */
export const continueBodies: readonly Json[] = distinct(
  cases.flatMap(({ then = [] }) => then.map(({ request = {} }) => request)),
)

function distinct(values: readonly Json[]): readonly Json[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]))
  return [...byText].sort(([one], [another]) => one.length - another.length).map(([, value]) => value)
}
