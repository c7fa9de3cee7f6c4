import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../test/support/json.ts'
import { intervalOf, written } from './comparison.ts'
import { loopFlow } from './flows/published.ts'
import { chooseSubjects, readOptionsOrExit } from './options.ts'
import type { Mode } from './support/databases.ts'
import { median, percentile, rounded } from './support/figures.ts'
import type { Load } from './support/load.ts'
import { pinLoad } from './support/pinned-process.ts'
import { runRounds } from './support/rounds.ts'
import { requireBuild, startService } from './support/service.ts'
import { connections } from './workloads.ts'

// What timers, contacts and endpoints cost a turn: `npm run bench:initiative`, as docs/performance.md tells.

/** A conversation in which every turn keeps an answer, and what else there is to it. */
interface Variant {
  readonly name: string
  /** Every turn sets a timer anew. */
  readonly hasTimer?: true
  /** Every turn changes what is remembered of a contact, each conversation that of another. */
  readonly hasContact?: true
  /** Body of an endpoint. */
  readonly endpoint?: Json
}

const turns = { events: ['turn.completed'] }
const content = { ...turns, includesContent: true }
const variants: readonly Variant[] = [
  { name: 'neither' },
  // Beside itself: what a ratio is worth.
  { name: 'neither again' },
  { name: 'idle event', hasTimer: true },
  { name: 'memory of a contact', hasContact: true },
  { name: 'endpoint: turns', endpoint: turns },
  { name: 'endpoint: turns with content', endpoint: content },
  { name: 'endpoint: everything', endpoint: {} },
  { name: 'all three: turns', hasTimer: true, hasContact: true, endpoint: turns },
  { name: 'all three: turns with content', hasTimer: true, hasContact: true, endpoint: content },
]

const modes: readonly Mode[] = ['memory', 'DATA_DIR', 'PostgreSQL']

/** What is waited for: nothing takes the events, so that a turn is measured without the requests that tell of it. */
const subjects = modes.map((mode) => ({
  name: `waiting: ${mode}`,
  mode,
  perSecond: undefined as number | undefined,
}))
/** Each event is taken at once, which is more to do: at a pace at which deliveries keep up. */
subjects.push({ name: 'delivered: memory', mode: 'memory', perSecond: 400 })

const token = 'an-operator-of-benchmarks'
const sessionsEach = 64

/** Of many short rounds a third is undisturbed where others use the machine, and of five long ones none. */
const usual = { rounds: 24, seconds: 1 }

const { only, node, ...pace } = readOptionsOrExit(process.argv.slice(2), usual)
requireBuild('.')
pinLoad()
const receiver = createServer((request, response) =>
  request.resume().on('end', () => response.writeHead(204).end()),
)
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo
for (const subject of chooseSubjects(subjects, only)) await measure(subject)
receiver.close()

async function measure({ name: title, mode, perSecond }: (typeof subjects)[number]): Promise<void> {
  const candidates = []
  for (const variant of variants) {
    const { name } = variant
    const variables = { ADMIN_TOKEN: token, OUTBOUND_ALLOW: '127.0.0.1' }
    const workload = { name, flows: [flowOf(variant)], variables, mode, prepareLoad: () => Promise.reject() }
    const server = await startService(workload, { node, build: { folder: '.' } })
    const load = { ...(await loadOf(variant, server.address, perSecond !== undefined)), perSecond }
    candidates.push({ name, server, load })
  }
  const rounds = await runRounds(candidates, pace)
  for (const { server } of candidates) await server.stop()
  const [base = ''] = Object.keys(rounds)
  const cpuOf = (name: string) => rounds[name]!.map(({ cpuMicroseconds }) => cpuMicroseconds)
  const rows = Object.keys(rounds).map((name) => {
    const ratios = cpuOf(name).map((cpu, index) => cpu / cpuOf(base)[index]!)
    const undisturbed = quiet(cpuOf(name)) / quiet(cpuOf(base))
    const row = { 'CPU µs': rounded(median(cpuOf(name))), '×': written(intervalOf(ratios)) }
    return [name, { ...row, '× undisturbed': rounded(undisturbed) }]
  })
  console.log(title)
  console.table(Object.fromEntries(rows))
}

/** What others do on the machine makes rounds longer, and none shorter. */
function quiet(values: readonly number[]): number {
  return percentile(values, 1 / 8)
}

function flowOf({ hasTimer, hasContact }: Variant): Json {
  const idle = { id: 'idle', type: 'idle', options: { after: 'PT30M' }, outgoingEdgeId: 'e-again' }
  const variables = loopFlow['variables'] as readonly Json[]
  return {
    ...loopFlow,
    ...(hasTimer && { events: [...(loopFlow['events'] as readonly Json[]), idle] }),
    ...(hasContact && { variables: variables.map((each) => ({ ...each, scope: 'contact' })) }),
  }
}

/** Visitors who answer by turns, each with one of two names, so that each turn changes something. */
async function loadOf({ hasContact, endpoint }: Variant, address: string, isTaken: boolean): Promise<Load> {
  const send = async (method: string, path: string, body: Json) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Json
  }
  // Nobody listens at the port of discarded things, and an endpoint that fails is tried once in a while.
  const url = `http://127.0.0.1:${isTaken ? port : 9}/`
  const secrets = [`whsec_${Buffer.alloc(24).toString('base64')}`]
  if (endpoint) await send('PUT', '/v1/webhooks/bench', { url, secrets, ...endpoint })
  const requests: { path: string; body: string }[][] = []
  for (let connection = 0; connection < connections; connection++) {
    const paths: string[] = []
    while (paths.length < sessionsEach) {
      const contact = { id: `${connection}-${paths.length}`, name: 'Ada Lovelace', timeZone: 'Europe/London' }
      const start = `/v1/flows/${loopFlow['publicId']}/startChat`
      const { sessionId } = await send('POST', start, hasContact ? { contact } : {})
      paths.push(`/v1/sessions/${sessionId}/continueChat`)
    }
    const names = ['Analytical Engines', 'Difference Engines']
    const bodies = names.map((message) => JSON.stringify({ message }))
    requests.push(bodies.flatMap((body) => paths.map((path) => ({ path, body }))))
  }
  return { connections, requests: (connection) => requests[connection]! }
}
