import { parseArgs } from 'node:util'
import { type Campaign, type Finding, openCampaign } from './campaign.ts'
import type { Held } from './probed-service.ts'

// Attacks the built service: `npm run fuzz`. CONTRIBUTING.md tells what it takes and what it finds.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    'at-once': { type: 'string', default: '8' },
    seed: { type: 'string' },
    path: { type: 'string' },
    service: { type: 'string', default: '.' },
    env: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    'keep-going': { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed)

/** After a quarter of the requests the stores are full, if there are so many: what is held may hardly grow any more. */
const mostGrowth = 1.1
const manyRequests = 50_000
/** Of fewer requests the stores are still being filled, and functions still being compiled. */
const fewestToJudgeGrowth = 2_000
const mostBytesOfFew = 24 * 1024 * 1024

// The service does not outlive whoever started it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const startedAt = performance.now()
const campaign = await openCampaign({
  firstSeed: seed,
  atOnce: Number(values['at-once']),
  build: { folder: values.service, variables: Object.fromEntries(values.env.map(readVariable)) },
  only: values.only,
  goesOn: values['keep-going'],
  onFinding: (finding) => console.log(`\nFOUND ${describeFinding(finding)}\n`),
})
console.log(`Seed ${seed}`)
const held: Held[] = []
if (values.path === undefined) await attackInQuarters(campaign)
else await campaign.repeat(seed, values.path)
tell(campaign)
const problems = problemsOf(campaign, held)
const code = await campaign.close()
if (code !== 0) problems.push(`the service ended with ${code}`)
for (const problem of problems) console.log(`\nFAILED: ${problem}`)
if (problems.length === 0) console.log('Nothing was found')
process.exitCode = problems.length === 0 ? 0 : 1

async function attackInQuarters(campaign: Campaign): Promise<void> {
  const telling = setInterval(() => tell(campaign), 10_000)
  for (const quarter of [1, 2, 3, 4]) {
    await campaign.attackUntil((requests / 4) * quarter)
    if (campaign.tally.failure || campaign.tally.hasEnded) break
    const measured = await campaign.measure()
    held.push(measured)
    console.log(
      `Held after ${campaign.tally.answered} requests: ${mebibytes(measured.heapUsed)} of heap, ${mebibytes(measured.external)} beside it`,
    )
  }
  clearInterval(telling)
}

function tell({ tally: { answered, statuses }, residentBytes }: Campaign): void {
  const seconds = (performance.now() - startedAt) / 1000
  const rate = (answered / seconds).toFixed(0)
  const each = [...statuses].sort().map(([status, times]) => `${status}: ${times}`)
  const resident = residentBytes()
  const memory = resident === undefined ? '' : `, ${mebibytes(resident)} resident`
  console.log(`${seconds.toFixed(0)} s, ${answered} requests, ${rate}/s${memory}; ${each.join(', ')}`)
}

function problemsOf(
  { tally: { failure, findings, unrepeated, hasEnded } }: Campaign,
  held: readonly Held[],
): string[] {
  const problems = unrepeated.map((reason) => `once, and not again when it was repeated alone: ${reason}`)
  if (hasEnded) problems.push('the service ended by itself')
  if (failure) {
    const { seed, path, attack, reason } = failure
    problems.push(`${reason}\n\n${attack}\n\nAgain: npm run fuzz -- --seed ${seed} --path ${path}`)
  }
  problems.push(...findings.map(describeFinding))
  const polluted = new Set(held.flatMap(({ polluted }) => polluted))
  if (polluted.size > 0) problems.push(`prototypes have got ${[...polluted].join(', ')}`)
  const [first, last] = [held.at(0), held.at(-1)]
  if (first && last && requests >= fewestToJudgeGrowth && heldBytes(last) > mostHeld(heldBytes(first))) {
    problems.push(`what is held grew to ${mebibytes(heldBytes(last))} from ${mebibytes(heldBytes(first))}`)
  }
  return problems
}

function describeFinding({ kind, about, after, attack, reason }: Finding): string {
  const head = `after ${after} requests, about the ${about}, by ${kind}: ${reason.slice(0, 500)}`
  return `${head}\n\n${attack.slice(0, 1000)}`
}

function mostHeld(first: number): number {
  return first * mostGrowth + (requests < manyRequests ? mostBytesOfFew : 0)
}

function readVariable(text: string): [string, string] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new Error(`--env takes NAME=VALUE; it is "${text}"`)
  return [name, value]
}

function heldBytes({ heapUsed, external }: Held): number {
  return heapUsed + external
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
