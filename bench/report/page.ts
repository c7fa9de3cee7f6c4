import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workloads } from '../subjects.ts'
import type { Workload } from '../workloads/workload.ts'
import { type Result, readResults } from './results.ts'
import { figuresTable, markdownTable, workloadHeadings, workloadRows } from './tables.ts'

/** The page that tells what was measured. */
export const page = join(import.meta.dirname, '../../docs/performance.md')

/** Tables stand between these, by the group of what was measured and the Node that it was measured on. */
const marked = /(<!-- measured: (\S+) on Node (\d+) -->\n).*?(<!-- end -->)/gs

/** The page with its tables made from the results that are kept. */
export function pageWithResults(text: string): string {
  return text.replace(marked, (_whole, before: string, group: string, node: string, after: string) => {
    const results = readResults(node).filter(({ name }) => name.startsWith(`${group}: `))
    return `${before}${tableOf(results)}\n${after}`
  })
}

/** Brings the tables of docs/performance.md up to date. */
export function writePage(): void {
  writeFileSync(page, pageWithResults(readFileSync(page, 'utf8')))
}

function tableOf(results: readonly Result[]): string {
  const figures = results.flatMap(({ outcome }) => ('figures' in outcome ? [outcome.figures] : []))
  const ofWorkload = (workload: Workload) =>
    results.flatMap(({ name, outcome }) =>
      name === workload.name && 'rounds' in outcome ? workloadRows(workload, outcome.rounds) : [],
    )
  const rows = workloads.flatMap(ofWorkload)
  const tables = [
    ...(rows.length > 0 ? [markdownTable(workloadHeadings, rows)] : []),
    ...figures.map(figuresTable),
  ]
  return tables.join('\n\n')
}
