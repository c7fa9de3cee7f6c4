import { writeFileSync } from 'node:fs'
import { measureAgainst } from './against.ts'
import { chooseSubjects } from './choose-subjects.ts'
import { measure } from './measure.ts'
import { readOptionsOrExit } from './options.ts'
import { compareBuilds, comparisonRow } from './report/comparison.ts'
import { roundsTable } from './report/tables.ts'
import { workloads } from './subjects.ts'
import { pinLoad } from './support/pinned-process.ts'
import type { Rounds } from './support/rounds.ts'
import { requireBuild } from './support/service.ts'
import type { Workload } from './workloads/workload.ts'

// What the service costs: `npm run bench`, as docs/performance.md tells.

const options = readOptionsOrExit(process.argv.slice(2))
requireBuild('.')
pinLoad()

const { only, node, against, json } = options
const pace = { rounds: options.rounds, seconds: options.seconds }
const results: Record<string, Rounds> = {}
for (const workload of chooseSubjects(workloads, only)) results[workload.name] = await run(workload)
if (json) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`)

async function run(workload: Workload): Promise<Rounds> {
  const rounds = against
    ? await measureAgainst(workload, { node, pace, against })
    : await measure(workload, { node, pace })
  console.log(workload.name)
  console.table(roundsTable(rounds))
  if (!against) return rounds
  const comparison = compareBuilds(rounds)
  console.table({ [workload.name]: comparisonRow(comparison) })
  if (comparison.isLoss) process.exitCode = 1
  return rounds
}
