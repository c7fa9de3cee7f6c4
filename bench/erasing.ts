import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loopFlow } from './flows/published.ts'
import { type Mode, startDatabases } from './support/databases.ts'
import { percentile, rounded } from './support/figures.ts'
import { countRows, multiplyRows } from './support/multiply-rows.ts'
import { pinLoad } from './support/pinned-process.ts'
import { requireBuild, startService } from './support/service.ts'

// What turns wait while rows that have outlived their time leave: `npm run bench:erasing`, as docs/performance.md tells. Of two
// services with as many rows, one of which erases them, each is asked for two seconds while the other one is stopped: what else
// the machine does meets both.

/** What leaves by a setting, and from where: sessions of PostgreSQL leave whatever is set. */
interface Subject {
  readonly mode: Exclude<Mode, 'memory'>
  readonly table: 'sessions' | 'results'
  readonly rows: number
}

const subjects: readonly Subject[] = [
  { mode: 'DATA_DIR', table: 'sessions', rows: 200_000 },
  { mode: 'DATA_DIR', table: 'results', rows: 200_000 },
  { mode: 'PostgreSQL', table: 'results', rows: 1_000_000 },
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '50' },
    build: { type: 'string', default: '.' },
  },
})
const slots = Number(values.seconds) / 2
const slotMs = 2000

/** For what has waited while a service was stopped. */
const wakeMs = 200

const perSecond = Number(values['per-second'])

const token = 'an-operator-of-benchmarks'
const headers = { 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: true })
const visitors = 200

/** From the start of a service until rows leave, for its visitors to begin, and from then to the first turns, for a sweep to come. */
const settleMs = 12_000

requireBuild(values.build)
pinLoad()
for (const subject of subjects)
  if (`${subject.mode} ${subject.table}`.includes(values.only)) await measure(subject)

async function measure(subject: Subject): Promise<void> {
  const { mode, table, rows } = subject
  const without = await prepare(subject)
  const beside = await prepare(subject)
  await without.open({})
  await beside.open(lifetime(subject, Date.now() + settleMs - beside.endedAt))
  await sleep(2 * settleMs)
  const before = await beside.count()
  for (let slot = 0; slot < slots; slot++) {
    await without.takeSlot(beside)
    await beside.takeSlot(without)
  }
  const left = before - (await beside.count())
  console.log(
    `${rows} ${table}, ${mode}: ${left} left in ${values.seconds} s; ms of ${perSecond} turns a second`,
  )
  console.table({ without: describe(without.turns), beside: describe(beside.turns) })
  await without.stop()
  await beside.stop()
}

/** A service with rows of its own, which may be stopped and go on. */
async function prepare({ mode, table, rows }: Subject) {
  const databases = await startDatabases(mode)
  const start = (times: Readonly<Record<string, string>> = {}) => {
    const variables = { ADMIN_TOKEN: token, ...databases.variables, ...times }
    const workload = { name: table, flows: [loopFlow], variables, prepareLoad: () => Promise.reject() }
    return startService(workload, { node: process.execPath, build: { folder: values.build } })
  }
  let service = await start()
  await send(service.address + (await begin(service.address)))
  await service.stop()
  const endedAt = await multiplyRows(databases.variables, { table, rows })
  const paths: string[] = []
  const turns: number[] = []
  return {
    endedAt,
    turns,
    signal: (name: 'SIGSTOP' | 'SIGCONT') => process.kill(service.pid, name),
    count: () => countRows(databases.variables, table),
    async open(times: Readonly<Record<string, string>>) {
      service = await start(times)
      while (paths.length < visitors) paths.push(await begin(service.address))
    },
    async takeSlot(other: { signal(name: 'SIGSTOP'): void }) {
      other.signal('SIGSTOP')
      this.signal('SIGCONT')
      await sleep(wakeMs)
      turns.push(...(await load(service.address, paths)))
    },
    async stop() {
      this.signal('SIGCONT')
      await service.stop()
      await databases.stop()
    },
  }
}

/** Has rows leave so long after they ended, as the stores do: sessions a 24th of their time late, results of PostgreSQL an hour. */
function lifetime({ mode, table }: Pick<Subject, 'mode' | 'table'>, ms: number): Record<string, string> {
  const seconds = Math.ceil(ms / 1000)
  if (table === 'sessions') return { SESSION_TTL_SECONDS: String(24 * seconds) }
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
    if (at - from >= slotMs) return Promise.all(turns)
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
