import { writeFileSync } from 'node:fs'
import { measureAgainst } from './against.ts'
import { chooseSubjects } from './choose-subjects.ts'
import { measure } from './measure.ts'
import { readOptionsOrExit } from './options.ts'
import { compareBuilds, comparisonRow } from './report/comparison.ts'
import { writePage } from './report/page.ts'
import { keepResult, type Result, resultOf } from './report/results.ts'
import { roundsTable } from './report/tables.ts'
import { measurements, workloads } from './subjects.ts'
import { pinLoad } from './support/pinned-process.ts'
import { type Build, requireBuild } from './support/service.ts'

// What the service costs: `npm run bench`, as docs/performance.md tells.

const options = readOptionsOrExit(process.argv.slice(2))
requireBuild('.')
pinLoad()

const { only, all, node, against } = options
const pace = { rounds: options.rounds, seconds: options.seconds }
const results = against === undefined ? await measureAll() : await compareAll(against)
if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`)
if (options.write) writePage()

async function measureAll(): Promise<Result[]> {
  const results: Result[] = []
  const subjects = only.length > 0 || all ? [...workloads, ...measurements] : workloads
  for (const subject of chooseSubjects(subjects, only)) {
    const result = resultOf(subject.name, await measure(subject, { node, pace }), { node })
    report(result)
    results.push(result)
    if (options.write) keepResult(result)
  }
  return results
}

async function compareAll(against: Build): Promise<Result[]> {
  const results: Result[] = []
  for (const workload of chooseSubjects(workloads, only)) {
    const rounds = await measureAgainst(workload, { node, pace, against })
    const result = resultOf(workload.name, { rounds }, { node })
    report(result)
    const comparison = compareBuilds(rounds)
    console.table({ [workload.name]: comparisonRow(comparison) })
    if (comparison.isLoss) process.exitCode = 1
    results.push(result)
  }
  return results
}

function report({ name, node, machine, outcome }: Result): void {
  console.log(`${name} (Node ${node}; ${machine})`)
  console.table('rounds' in outcome ? roundsTable(outcome.rounds) : outcome.figures)
}
