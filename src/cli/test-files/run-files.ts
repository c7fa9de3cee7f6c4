import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CoveredPlace, coveredKinds, type FlowCoverage } from '../../tooling/flow-tests/coverage.ts'
import { runTests } from '../../tooling/flow-tests/run-tests.ts'
import type { Console } from '../command.ts'
import { readBlocks } from '../input/read-blocks.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { casesOf } from './block-cases.ts'
import { openLocalWorld } from './local-world.ts'
import { type CoveredFlow, readTestFile, type TestedFile } from './read-test-file.ts'
import type { TestArguments } from './test-arguments.ts'

/** Conversations of one `explore`. */
const mostWays = 5000

/** Runs files of tests, one after the other. Throws a UsageError for one that can't be read. */
export async function runFiles(
  paths: readonly string[],
  { isLoose, only, shard, isBailing, isUpdating, blocks: folder }: TestArguments,
  console: Pick<Console, 'warn' | 'workingOn' | 'env'>,
): Promise<{ readonly files: TestedFile[]; readonly flows: CoveredFlow[] }> {
  const blocks = await readBlocks(folder, console)
  const world = openLocalWorld(console, blocks.registry)
  try {
    const files: TestedFile[] = []
    let number = 0
    const takes = () => !shard || number++ % shard.of === shard.part - 1
    const shared = {
      isTrusted: true,
      isLoose,
      only,
      isBailing,
      takes,
      mostWays,
      yieldToEventLoop: async () => false,
    }
    for (const { path, file, ...compiled } of casesOf(blocks)) {
      const deps = world.dependenciesFor(path)
      const report = await runTests(file, { ...shared, ...compiled, deps })
      if (report.tests.length > 0)
        files.push({ read: { path, flowPath: path, file, placeOf: () => '1:1' }, ...report })
    }
    const flows = new Map<string, CoveredFlow>()
    for (const path of paths) {
      console.workingOn?.(path)
      const written = await readTestFile(path)
      const read = { ...written, flowPath: await world.pathOf(written.flowPath) }
      const { flow, program, rangeOf } = await world.readFlow(read.flowPath)
      const report = await runTests(read.file, {
        ...shared,
        flow,
        program,
        deps: world.dependenciesFor(read.flowPath),
        goldens: goldensBeside(path, isUpdating),
      })
      if (report.tests.length === 0) continue
      files.push({ read, flow: { path: read.flowPath, rangeOf }, ...report })
      const known = flows.get(read.flowPath)
      const coverage = known ? addCoverage(known, report.coverage) : report.coverage
      flows.set(read.flowPath, { ...coverage, path: read.flowPath, rangeOf })
      if (isBailing && report.tests.some(({ outcome }) => outcome === 'failed')) break
    }
    return { files, flows: [...flows.values()] }
  } finally {
    await world.close()
  }
}

function goldensBeside(path: string, isUpdating: boolean) {
  const at = (name: string) => join(dirname(path), name)
  return {
    read: (name: string) => readTextFile(at(name)).catch(() => undefined),
    write: isUpdating ? (name: string, text: string) => writeFile(at(name), text) : undefined,
  }
}

function addCoverage(known: FlowCoverage, added: FlowCoverage): FlowCoverage {
  const places = known.places.map(
    (place, index): CoveredPlace => ({ ...place, hits: place.hits + (added.places[index]?.hits ?? 0) }),
  )
  const summary = { ...known.summary }
  for (const kind of coveredKinds) {
    const hit = places.filter((place) => place.kind === kind && place.hits > 0).length
    summary[kind] = { total: known.summary[kind].total, hit }
  }
  return { places, summary }
}
