import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codePlaces, hostileCodes, hostileFlow } from '../test/service/hostile-flows.ts'
import { startServiceProcess } from '../test/service/service-process.ts'

// What hostile code costs everybody else: `npm run bench:hostile`. Takes about a minute.

const atOnce = 10
const script = codePlaces.find(({ name }) => name === 'a script')!
/** Code that only the sandbox runs, of somebody who means no harm. */
const harmless = 'new Date(0).getTime() + [1, 2, 3].reduce((a, b) => a + b)'

const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
const publish = (code: string, publicId: string) =>
  writeFileSync(join(folder, `${publicId}.json`), JSON.stringify(hostileFlow(script, code, publicId)))
for (const [index, { code }] of hostileCodes.entries()) publish(code, `hostile-${index}`)
publish(harmless, 'harmless')
const service = await startServiceProcess({ FLOWS_DIR: folder })

const start = async (publicId: string) => {
  const response = await fetch(`${service.address}/v1/flows/${publicId}/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await response.text()
  if (response.status !== 200) throw new Error(`${publicId} was answered ${response.status}`)
}

const askHealth = async () => {
  await (await fetch(`${service.address}/health`)).text()
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

const percentile = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((a, b) => a - b)
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toPrecision(3))
}

/** One request after the other, with a breath in between, until something is over. */
async function askMeanwhile(ask: () => Promise<unknown>, over: { readonly is: boolean }): Promise<number[]> {
  const times: number[] = []
  do {
    times.push(await timed(ask))
    await new Promise((resolve) => setTimeout(resolve, 2))
  } while (!over.is)
  return times
}

async function measure(run: () => Promise<number[]>) {
  const over = { is: false }
  const asking = [askMeanwhile(askHealth, over), askMeanwhile(() => start('harmless'), over)]
  const turns = await run()
  over.is = true
  const [health = [], others = []] = await Promise.all(asking)
  return {
    'turn p50': percentile(turns, 0.5),
    'turn max': percentile(turns, 1),
    'health p50': percentile(health, 0.5),
    'health p99': percentile(health, 0.99),
    'health max': percentile(health, 1),
    'other code p50': percentile(others, 0.5),
    'other code max': percentile(others, 1),
  }
}

const turnsAtOnce = (publicId: string) => () =>
  Promise.all(Array.from({ length: atOnce }, () => timed(() => start(publicId))))

await measure(turnsAtOnce('harmless'))
const table: Record<string, object> = {
  'nothing (a second)': await measure(
    () => new Promise((resolve) => setTimeout(resolve, 1000, [Number.NaN])),
  ),
}
for (const [index, { name }] of hostileCodes.entries())
  table[name] = await measure(turnsAtOnce(`hostile-${index}`))

console.log(`Node ${process.version}; ${atOnce} turns at once, each with one piece of code; milliseconds`)
console.table(table)
await service.stop()
rmSync(folder, { recursive: true })
