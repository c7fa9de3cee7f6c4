import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

export const deployFolder = join(import.meta.dirname, '../../deploy')
export const rulesFile = join(deployFolder, 'prometheus/rules.yml')

/** What one process was scraped as, at first and after something went on in it. */
export interface Scraped {
  readonly instance: string
  readonly before: string
  readonly after: string
}

interface InputSeries {
  readonly series: string
  readonly values: string
}

/** Minutes for which what went on between the scrapes goes on, each minute as much: longer than any alarm waits. */
const minutes = 40

/** The series of a scrape that goes on as it did: counters rise by as much each minute, gauges stay as they were last. */
export function goingOn({ instance, before, after }: Scraped): InputSeries[] {
  const earlier = new Map(samplesOf(before))
  const gauges = new Set([...after.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name))
  return samplesOf(after).map(([series, value]) => {
    const name = series.split('{')[0] as string
    const first = gauges.has(name) ? value : (earlier.get(series) ?? 0)
    return {
      series: labelled(series, { job: 'flow-runtime', instance }),
      values: `${plain(first)}+${plain(Math.max(0, value - first))}x${minutes}`,
    }
  })
}

/** Whether a process answers, as Prometheus notes it. */
export const answers = (instance: string, isUp: boolean): InputSeries => ({
  series: labelled('up', { job: 'flow-runtime', instance }),
  values: `${Number(isUp)}x${minutes}`,
})

/** Rejects with what promtool says unless exactly these alarms ring at the end. */
export async function expectAlarms(series: readonly InputSeries[], alarms: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'alarms-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'alarms.json')
  const ringing = {
    expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minutes}m`,
    exp_samples: alarms.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  }
  const test = { interval: '1m', input_series: series, promql_expr_test: [ringing] }
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: [test] }))
  await promisify(execFile)('promtool', ['test', 'rules', file])
}

function samplesOf(text: string): [series: string, value: number][] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, number] => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    })
    .filter(([, value]) => Number.isFinite(value))
}

function labelled(series: string, labels: Readonly<Record<string, string>>): string {
  const [name = '', given = ''] = series.split(/\{(.*)\}$/)
  const added = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${[...added, ...(given === '' ? [] : [given])].join()}}`
}

/** The notation of series has no exponents. */
const plain = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(9))
