import { existsSync, writeFileSync } from 'node:fs'
import { measure } from './measure.ts'
import { readOptions } from './options.ts'
import { writePage } from './report/page.ts'
import { keepResult, type Result, resultOf } from './report/results.ts'
import { roundsTable } from './report/tables.ts'
import { contests, measurements } from './subjects.ts'
import { pinLoad } from './support/pinned-process.ts'

// What the service costs: `npm run bench`, as docs/performance.md tells.

const options = readOptions(process.argv.slice(2))
if (!existsSync('dist/src/main.js')) throw new Error('The built service is measured: npm run build')
pinLoad()

const { only, all, node } = options
const subjects = [...contests, ...measurements]
const byName = subjects.filter(({ name }) => only.some((part) => name.includes(part)))
const chosen = only.length > 0 ? byName : all ? subjects : contests
const pace = { rounds: options.rounds, seconds: options.seconds }
const results: Result[] = []
for (const subject of chosen) {
  const outcome = await measure(subject, { node, pace })
  const result = resultOf(subject.name, outcome, { node })
  console.log(`${result.name} (Node ${result.node}; ${result.machine})`)
  console.table('rounds' in outcome ? roundsTable(outcome.rounds) : outcome.figures)
  results.push(result)
  if (options.write) keepResult(result)
}
if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`)
if (options.write) writePage()
