import type { Figures } from '../measurement.ts'
import { median, rounded } from '../support/figures.ts'
import type { Round } from '../support/load.ts'
import type { Rounds } from '../support/rounds.ts'
import { bare, type Target, type Workload } from '../workloads/workload.ts'
import { ratiosTo } from './ratios.ts'

/** A row for each candidate, with the first one's ratios to the others. */
export function roundsTable(rounds: Rounds): Figures {
  return Object.fromEntries(
    Object.keys(rounds).map((name, index) => {
      const of = (figure: keyof Round, digits = 3) =>
        rounded(median(rounds[name]!.map((round) => round[figure])), digits)
      const { throughput, cpu } = ratiosTo(name, rounds)
      const row: Record<string, number> = {
        'requests/s': of('requestsPerSecond', 4),
        'CPU µs': of('cpuMicroseconds'),
        busy: of('busy', 2),
        'p50 ms': of('p50'),
        'p99 ms': of('p99'),
      }
      if (index > 0) {
        row['× throughput'] = rounded(throughput)
        row['× CPU'] = rounded(cpu)
      }
      return [name, row]
    }),
  )
}

/** What is measured, in one row, for each of those that it was measured beside. */
export function workloadRows({ name, targets = [] }: Workload, rounds: Rounds): (string | number)[][] {
  const [measured = '', ...others] = Object.keys(rounds)
  const own = roundsTable(rounds)[measured]!
  return others.map((other, index) => {
    const { throughput, cpu } = ratiosTo(other, rounds)
    const target = targets.find(({ beside }) => beside === other)
    const isFirst = index === 0
    return [
      isFirst ? withoutGroup(name) : '',
      isFirst ? own['requests/s']! : '',
      isFirst ? own['CPU µs']! : '',
      isFirst ? `${own['p50 ms']}, ${own['p99 ms']}` : '',
      other === bare ? `bare \`node:http\`` : other,
      rounded(throughput, 2),
      rounded(cpu),
      target ? describeTarget(target) : '',
    ]
  })
}

export const workloadHeadings = [
  'Workload',
  'requests/s',
  'CPU µs each',
  'p50, p99 ms',
  'beside',
  '× throughput',
  '× CPU each',
  'target',
]

const describeTarget = ({ throughput, cpu }: Target): string =>
  throughput === undefined ? (cpu === undefined ? '' : `CPU ≤ ${cpu}`) : `throughput ≥ ${throughput}`

/** What stands behind the group of a name. */
const withoutGroup = (name: string): string => name.slice(name.indexOf(': ') + 2)

/** A table as Markdown writes it. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

/** Figures as Markdown, a row for each thing they are of. */
export function figuresTable(figures: Figures): string {
  const headings = [...new Set(Object.values(figures).flatMap((row) => Object.keys(row)))]
  const rows = Object.entries(figures).map(([name, row]) => [
    name,
    ...headings.map((heading) => row[heading]),
  ])
  return markdownTable(['', ...headings], rows)
}
