import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loopFlow } from './flows/published.ts'
import { type Mode, startDatabases } from './support/databases.ts'
import { percentile, rounded } from './support/figures.ts'
import { countRows, multiplyRows } from './support/multiply-rows.ts'
import { pinLoad } from './support/pinned-process.ts'
import { requireBuild, startService } from './support/service.ts'

// What turns wait while rows that have outlived their time leave: `npm run bench:erasing`, as docs/performance.md tells.

/** What leaves, and from where. */
interface Subject {
  readonly mode: Exclude<Mode, 'memory'>
  readonly table: 'sessions' | 'results'
  readonly rows: number
}

const subjects: readonly Subject[] = [
  { mode: 'DATA_DIR', table: 'sessions', rows: 200_000 },
  { mode: 'DATA_DIR', table: 'results', rows: 200_000 },
  { mode: 'PostgreSQL', table: 'sessions', rows: 200_000 },
  { mode: 'PostgreSQL', table: 'results', rows: 1_000_000 },
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '30' },
    'per-second': { type: 'string', default: '50' },
    build: { type: 'string', default: '.' },
  },
})
const windowMs = Number(values.seconds) * 1000
const perSecond = Number(values['per-second'])

const token = 'an-operator-of-benchmarks'
const headers = { 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: true })
const visitors = 200

/** After the start of a service, for its visitors to begin, and before each window, for sweeps to come and go. */
const settleMs = 15_000

requireBuild(values.build)
pinLoad()
for (const subject of subjects)
  if (`${subject.mode} ${subject.table}`.includes(values.only)) await measure(subject)

async function measure({ mode, table, rows }: Subject): Promise<void> {
  const databases = await startDatabases(mode)
  const open = (times: Record<string, string> = {}) => {
    const variables = {
      THREAD_LOG: process.env['THREAD_LOG'] ?? '',
      ADMIN_TOKEN: token,
      ...databases.variables,
      ...times,
    }
    const workload = { name: table, flows: [loopFlow], variables, prepareLoad: () => Promise.reject() }
    return startService(workload, { node: process.execPath, build: { folder: values.build } })
  }
  const first = await open()
  const path = await begin(first.address)
  await send(first.address + path)
  await first.stop()
  const endedAt = await multiplyRows(databases.variables, { table, rows })
  const leaveAt = Date.now() + settleMs + windowMs
  const service = await open(lifetime({ mode, table }, leaveAt - endedAt))
  const paths: string[] = []
  while (paths.length < visitors) paths.push(await begin(service.address))
  const figures: Record<string, object> = {}
  await sleep(leaveAt - windowMs - Date.now())
  figures['before'] = describe(await load(service.address, paths))
  const left: number[] = []
  await sleep(leaveAt + settleMs - Date.now())
  left.push(await countRows(databases.variables, table))
  figures['beside'] = describe(await load(service.address, paths))
  left.push(await countRows(databases.variables, table))
  console.log(
    `${rows} ${table}, ${mode}: ${left.join(' and then ')} were left; ms of ${perSecond} turns a second`,
  )
  console.table(figures)
  await service.stop()
  await databases.stop()
}

/** Has rows leave so long after they ended, as the stores do: sessions a 24th of their time late, results of PostgreSQL an hour. */
function lifetime({ mode, table }: Pick<Subject, 'mode' | 'table'>, ms: number): Record<string, string> {
  const seconds = Math.ceil(ms / 1000)
  if (table === 'sessions')
    return { SESSION_TTL_SECONDS: String(mode === 'DATA_DIR' ? 24 * seconds : 86_400) }
  return { RESULT_TTL_SECONDS: String(mode === 'DATA_DIR' ? seconds : seconds - 3600) }
}

async function begin(address: string): Promise<string> {
  const body = await send(`${address}/v1/flows/${loopFlow['publicId']}/startChat`, '{}')
  return `/v1/sessions/${JSON.parse(body).sessionId}/continueChat`
}

/** Turns at even distances, whether those before them were answered or not: none is spared a pause. */
async function load(address: string, paths: readonly string[]): Promise<readonly number[]> {
  const turns: Promise<number>[] = []
  const from = performance.now()
  for (let nth = 0; ; nth++) {
    const at = from + (nth * 1000) / perSecond
    if (at - from >= windowMs) return Promise.all(turns)
    await sleep(at - performance.now())
    turns.push(time(address + paths[nth % paths.length]))
  }
}

async function time(url: string): Promise<number> {
  const from = performance.now()
  await send(url)
  return performance.now() - from
}

function send(url: string, body = JSON.stringify({ message: 'Analytical Engines' })): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('')
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`${url} was answered ${response.statusCode}: ${text}`))
    })
    sent.on('error', reject).end(body)
  })
}

function describe(times: readonly number[]): object {
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => rounded(percentile(times, share)))
  return { turns: times.length, p50, p99, slowest, 'over 20 ms': times.filter((ms) => ms > 20).length }
}
