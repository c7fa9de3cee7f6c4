import { type CoveredPlace, coveredKinds } from '../../tooling/flow-tests/coverage.ts'
import type { CoveredFlow } from '../test-files/read-test-file.ts'

/** Every way to write what of the flows was run, by its name on the command line. */
export const coverageFormats = { text: textCoverage, json: jsonCoverage, lcov: lcovCoverage } as const

/** Places that are named; a flow may have thousands. */
const mostNamed = 10

function textCoverage(flows: readonly CoveredFlow[]): string {
  return flows
    .map(({ path, summary, places }) => {
      const rows = coveredKinds
        .filter((kind) => summary[kind].total > 0)
        .map((kind) => {
          const { hit, total } = summary[kind]
          const missing = places
            .filter((place) => place.kind === kind && place.hits === 0)
            .map(({ id }) => id)
          const named = missing.slice(0, mostNamed).join(', ')
          const more = missing.length > mostNamed ? `, … ${missing.length - mostNamed} more` : ''
          const share = `${percentOf(summary[kind]).toFixed(1)} %`
          return `  ${kind.padEnd(9)} ${share.padStart(7)}  ${`${hit}/${total}`.padStart(7)}${missing.length > 0 ? `  not: ${named}${more}` : ''}`
        })
      return [path, ...rows, ''].join('\n')
    })
    .join('\n')
}

function jsonCoverage(flows: readonly CoveredFlow[]): string {
  return `${JSON.stringify({ flows: flows.map(({ path, summary, places }) => ({ path, summary, places })) }, null, 2)}\n`
}

/** By the lines on which groups, blocks, edges and items begin; items are the branches of their blocks. */
function lcovCoverage(flows: readonly CoveredFlow[]): string {
  return flows.map(recordOf).join('')
}

function recordOf({ path, rangeOf, places }: CoveredFlow): string {
  const lineOf = ({ pointer }: CoveredPlace) => rangeOf(pointer).start.line + 1
  const lines = new Map<number, number>()
  for (const place of places.filter(({ kind }) => kind !== 'refusals' && kind !== 'failures')) {
    const line = lineOf(place)
    lines.set(line, Math.max(lines.get(line) ?? 0, place.hits))
  }
  const branches = places
    .filter(({ kind }) => kind === 'items')
    .map((place, index) => `BRDA:${lineOf(place)},0,${index},${place.hits === 0 ? '-' : place.hits}`)
  const sorted = [...lines].sort(([a], [b]) => a - b)
  return [
    'TN:',
    `SF:${path}`,
    ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${branches.filter((line) => !line.endsWith('-')).length}`,
    'end_of_record',
    '',
  ].join('\n')
}

/** A kind that a flow has none of counts as covered. */
export const percentOf = ({ hit, total }: { readonly hit: number; readonly total: number }) =>
  total === 0 ? 100 : (100 * hit) / total
