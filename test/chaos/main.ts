import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { breakBuild, brokenBuilds } from './broken-builds.ts'
import { countViolations } from './check-history.ts'
import { killAll } from './faults.ts'
import { type ChaosReport, runChaos } from './run-chaos.ts'

const root = join(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    'only-controls': { type: 'boolean', default: false },
  },
})
const controlSeconds = 6

function describe(name: string, { history, faults, violations, leftovers }: ChaosReport): void {
  const acknowledged = history.conversations.reduce((sum, each) => sum + each.acknowledged.length, 0)
  const counts = (map: ReadonlyMap<string, number>) =>
    [...map].map(([what, times]) => `${times} × ${what}`).join(', ') || 'none'
  const lines = [
    `${name}: ${acknowledged} turns acknowledged in ${history.conversations.length} conversations`,
    `  faults: ${counts(faults)}`,
    `  repeated after: ${counts(history.refusals)}; ${history.replays} repetitions of what was answered`,
    ...Object.entries(violations).map(
      ([what, list]: [string, readonly string[]]) =>
        `  ${what}: ${list.length}${list.length > 0 ? ` (${list.slice(0, 3).join('; ')})` : ''}`,
    ),
    `  left in Redis: ${leftovers.length}${leftovers.length > 0 ? ` (${leftovers.slice(0, 3).join('; ')})` : ''}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

let isGood = true

if (!values['only-controls']) {
  const report = await runChaos({ dist: join(root, 'dist'), seconds: Number(values.seconds) })
  describe('three processes', report)
  isGood = countViolations(report.violations) === 0 && report.leftovers.length === 0
  isGood &&= report.history.conversations.some(({ acknowledged }) => acknowledged.length > 0)
}

for (const broken of brokenBuilds) {
  const { dist, remove } = breakBuild(root, broken)
  try {
    const faults = broken.needsKills ? [killAll] : []
    const report = await runChaos({ dist, seconds: controlSeconds, faults })
    describe(`control, where ${broken.name}`, report)
    if (countViolations(report.violations) > 0) continue
    process.stdout.write('  nothing was found, so that the check proves nothing\n')
    isGood = false
  } finally {
    remove()
  }
}

process.exitCode = isGood ? 0 : 1
