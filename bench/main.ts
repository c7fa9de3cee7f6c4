import { writeFileSync } from 'node:fs'
import { compareBuilds, comparisonRow, otherBuild, thisBuild } from './comparison.ts'
import { chooseSubjects, readOptionsOrExit } from './options.ts'
import { median, rounded } from './support/figures.ts'
import type { Round } from './support/load.ts'
import { pinLoad } from './support/pinned-process.ts'
import { type Rounds, runRounds } from './support/rounds.ts'
import { requireBuild, startService } from './support/service.ts'
import { type Workload, workloads } from './workloads.ts'

// What the service costs: `npm run bench`, as docs/performance.md tells.

const { only, against, json, node, ...pace } = readOptionsOrExit(process.argv.slice(2))
const builds = { [thisBuild]: { folder: '.' }, ...(against && { [otherBuild]: against }) }
for (const { folder } of Object.values(builds)) requireBuild(folder)
pinLoad()

const results: Record<string, Rounds> = {}
for (const workload of chooseSubjects(workloads, only)) results[workload.name] = await measure(workload)
if (json) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`)

/** Loads each build, in alternating rounds, and prints what they did. */
async function measure(workload: Workload): Promise<Rounds> {
  const candidates = []
  for (const [name, build] of Object.entries(builds)) {
    const server = await startService(workload, { node, build })
    candidates.push({ name, server, load: await workload.prepareLoad(server.address) })
  }
  const rounds = await runRounds(candidates, pace)
  for (const { server } of candidates) await server.stop()
  console.log(workload.name)
  console.table(Object.fromEntries(Object.entries(rounds).map(([name, own]) => [name, rowOf(own)])))
  if (against) {
    const comparison = compareBuilds(rounds)
    console.table({ [workload.name]: comparisonRow(comparison) })
    if (comparison.isLoss) process.exitCode = 1
  }
  return rounds
}

function rowOf(rounds: readonly Round[]): Record<string, number> {
  const of = (figure: keyof Round, digits = 3) => rounded(median(rounds.map((each) => each[figure])), digits)
  return {
    'requests/s': of('requestsPerSecond', 4),
    'CPU µs': of('cpuMicroseconds'),
    busy: of('busy', 2),
    'p50 ms': of('p50'),
    'p99 ms': of('p99'),
  }
}
