import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { readOptions } from './options.ts'
import { compareRounds } from './support/comparison.ts'
import { compete, type Rounds } from './support/contest.ts'
import { pinLoad } from './support/pinned-process.ts'
import { publicStarts } from './workloads/public-start.ts'

// What the service costs beside answering at all: `npm run bench`.

const options = readOptions(process.argv.slice(2))
if (!existsSync('dist/src/main.js')) throw new Error('The built service is measured: npm run build')
pinLoad()

const pace = { rounds: options.rounds, seconds: options.seconds, warmUpSeconds: 2 }
const workloads = publicStarts.filter(
  ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
)
const results: Record<string, Rounds> = {}
console.log(`Node ${process.version}; ${cpus().length} cores, ${cpus()[0]?.model}`)
for (const workload of workloads) {
  const { contestants, servers } = await workload.prepare(options)
  const rounds = await compete(contestants, pace)
  results[workload.name] = rounds
  console.log(workload.name)
  console.table(compareRounds(rounds))
  for (const server of servers) await server.stop()
}
if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
