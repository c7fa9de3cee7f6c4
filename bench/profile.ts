import { readOptionsOrExit } from './options.ts'
import { selfTimes } from './report/self-times.ts'
import { workloads } from './subjects.ts'
import { loadServer } from './support/load.ts'
import { pinLoad } from './support/pinned-process.ts'

// Where the service spends its time under one load: `npm run bench:profile -- --only 'public-start: static flow'`.

const { only, node, seconds } = readOptionsOrExit(process.argv.slice(2))
const workload = workloads.find(({ name }) => only.includes(name))
if (!workload) throw new Error(`--only one of:\n${workloads.map(({ name }) => name).join('\n')}`)
pinLoad()

const { candidates, servers } = await workload.prepare({ node, isProbed: true })
const { server, load } = candidates[0]!
await loadServer(server, load, seconds)
await server.probe('start profile')
await loadServer(server, load, seconds)
const { profile } = await server.probe('profile')
for (const each of servers) await each.stop()

const { byPlace, byFunction } = selfTimes(profile!)
console.log(workload.name)
console.table(byPlace.slice(0, 25))
console.table(byFunction.slice(0, 40))
