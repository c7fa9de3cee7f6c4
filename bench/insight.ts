import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { surveyBlocks } from './flows/survey.ts'
import type { Mode } from './support/databases.ts'
import { median, percentile, rounded } from './support/figures.ts'
import { startWithMonth, token } from './support/month-service.ts'
import { requireBuild } from './support/service.ts'

// How long operators wait for what was counted of a month, and for results: `npm run bench:insight`, as docs/performance.md tells.

const headers = { authorization: `Bearer ${token}` }
const { values } = parseArgs({
  options: { results: { type: 'string', default: '1000000' }, only: { type: 'string' } },
})
const modes = (['DATA_DIR', 'PostgreSQL'] as const).filter((mode) => !values.only || mode === values.only)
const times = 15

requireBuild('.')
for (const mode of modes) await measure(mode)

async function measure(mode: Mode): Promise<void> {
  const { service, month, stop } = await startWithMonth(mode, Number(values.results))
  console.log(`${mode}: ${values.results} results, ${month.counts.length} counts`)
  const rows: Record<string, object> = {}
  for (const [name, path] of Object.entries(questions()))
    rows[name] = await ask(service.address + path, service.cpuMs)
  console.table(rows)
  const files: Record<string, object> = {}
  for (const format of ['ndjson', 'csv', 'parquet']) files[format] = await download(service, format)
  console.table(files)
  await stop()
}

function questions(): Record<string, string> {
  const from = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString().slice(0, 10)
  const [flow, ends] = ['/v1/flows/survey', [surveyBlocks.at(-1), surveyBlocks[9], surveyBlocks[1]].join()]
  return {
    'analytics of a month': `${flow}/analytics?from=${from}`,
    '… with a funnel and cohorts': `${flow}/analytics?from=${from}&funnel=${ends}&by=utm_source`,
    'first page': `${flow}/results?limit=50`,
    'visited three blocks': `${flow}/results?limit=50&visited=${ends}`,
    'left at a block': `${flow}/results?limit=50&leftAt=${surveyBlocks[9]}`,
    'none of 20,000': `${flow}/results?limit=50&channel=none`,
    'text that nobody said': `${flow}/results?limit=50&text=no-such-text`,
  }
}

/** The time of the processor is that of the service alone, without its database. */
async function ask(url: string, cpuMs: () => number): Promise<object> {
  const ms: number[] = []
  const cpuBefore = cpuMs()
  for (let nth = 0; nth < times; nth++) {
    const start = performance.now()
    const response = await fetch(url, { headers })
    const { length } = await response.text()
    if (!response.ok || length < 10) throw new Error(`${url} was answered ${response.status}`)
    ms.push(performance.now() - start)
  }
  const cpu = rounded((cpuMs() - cpuBefore) / times)
  return { 'median ms': rounded(median(ms)), 'slowest ms': rounded(percentile(ms, 1)), 'CPU ms': cpu }
}

async function download({ address, pid }: { address: string; pid: number }, format: string): Promise<object> {
  const before = residentMb(pid)
  let most = before
  let bytes = 0
  const start = performance.now()
  const response = await fetch(`${address}/v1/flows/survey/results/export?format=${format}`, { headers })
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    most = Math.max(most, residentMb(pid))
  }
  const seconds = rounded((performance.now() - start) / 1000)
  return { seconds, MB: rounded(bytes / 1e6), 'resident MB more': rounded(most - before) }
}

function residentMb(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
