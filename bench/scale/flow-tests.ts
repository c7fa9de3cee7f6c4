import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse, stringify } from 'yaml'
import type { FlowTestFile } from '../../schemas/flow-test.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { median, rounded } from '../support/figures.ts'

const load = <Module>(path: string): Promise<Module> =>
  import(pathToFileURL(join('dist/src', path)).href) as Promise<Module>

/** As it was built: what compiles the sources of a benchmark slows down each function that is made on the way. */
const loadBuilt = () =>
  Promise.all([
    load<typeof import('../../src/cli/test-files/local-world.ts')>('cli/test-files/local-world.js'),
    load<typeof import('../../src/cli/test-files/read-test-file.ts')>('cli/test-files/read-test-file.js'),
    load<typeof import('../../src/flow-tests/run-tests.ts')>('flow-tests/run-tests.js'),
  ])

const samples = ['opening-hours', 'product-quiz', 'support-triage', 'lead-form']
const testsAFile = 500
const warmRounds = 4
const rounds = 5

/** How many tests of flows are run in a second: those of the sample flows, their steps over and over. */
export const flowTests: Measurement = {
  name: 'flow-tests: tests a second',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'bench-flow-tests-'))
    try {
      const answers = writeFiles(folder)
      const figures: Record<string, Figures[string]> = {}
      for (const name of samples) {
        const { reading, running } = await costOf(join(folder, `${name}.flowtest.yaml`))
        figures[name] = {
          'answers a test': rounded(answers.get(name) ?? 0),
          'µs to read': rounded(reading),
          'µs to run': rounded(running),
          'tests/s': rounded(1e6 / running),
        }
      }
      return figures
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

/** The sample flows with longer files of tests; how often their visitors say something in a test. */
function writeFiles(folder: string): Map<string, number> {
  const flows = join(import.meta.dirname, '../../flows')
  cpSync(flows, folder, { recursive: true })
  return new Map(
    samples.map((name) => {
      const file: FlowTestFile = parse(readFileSync(join(flows, `${name}.flowtest.yaml`), 'utf8'))
      const stepped = file.tests.filter(({ steps }) => steps !== undefined)
      const tests = Array.from({ length: testsAFile }, (_, index) => ({
        ...structuredClone(stepped[index % stepped.length]),
        name: `test ${index}`,
      }))
      writeFileSync(join(folder, `${name}.flowtest.yaml`), stringify({ ...file, tests }))
      const said = tests.flatMap(({ steps = [] }) => steps.filter(({ says }) => says !== undefined))
      return [name, said.length / testsAFile]
    }),
  )
}

/** CPU time that reading a file and running it take, in microseconds a test, once everything is compiled. */
async function costOf(path: string): Promise<{ readonly reading: number; readonly running: number }> {
  const [{ openLocalWorld }, { readTestFile }, { runTests }] = await loadBuilt()
  const reading: number[] = []
  const running: number[] = []
  const world = openLocalWorld(console)
  for (let round = 0; round < warmRounds + rounds; round++) {
    const began = process.cpuUsage()
    const { file, flowPath } = await readTestFile(path)
    reading.push(microsecondsSince(began))
    const { flow, program } = await world.readFlow(flowPath)
    const deps = world.dependenciesFor(flowPath)
    const begun = process.cpuUsage()
    const { tests } = await runTests(file, {
      flow,
      program,
      deps,
      mostWays: 1,
      isTrusted: true,
      yieldToEventLoop: async () => false,
    })
    running.push(microsecondsSince(begun))
    const failed = tests.filter(({ outcome }) => outcome !== 'passed')
    if (failed.length > 0) throw new Error(`${failed.length} tests of ${path} failed`)
  }
  await world.close()
  const aTest = (measured: readonly number[]) => median(measured.slice(warmRounds)) / testsAFile
  return { reading: aTest(reading), running: aTest(running) }
}

function microsecondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return user + system
}
