import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listThreatTests } from '../threats/table.ts'
import { type Defence, defences } from './defences.ts'
import { copyProject, type Outcome } from './project-copy.ts'

/**
 * Switches off each defence in turn, in a copy of the project, and expects the test of its threat to fail for what the
 * defence is against: a test that stays green proves nothing, and neither does one that fails as the edited line is wrong. Words
 * on the command line choose the threats that have any of them in their names.
 */
const root = join(import.meta.dirname, '../../..')
/** Longer than the minute that a test waits for what does not come. */
const longestMs = { one: 150_000, all: 1_200_000 }

/** Read once: what is tested is the copy, whatever becomes of the project meanwhile. */
const tests = listThreatTests()
const fileOf = (threat: string) => tests.find(({ title }) => title === threat)?.file ?? 'no test'

const chosen = process.argv.slice(2)
const isChosen = ({ threat }: Defence) =>
  chosen.length === 0 || chosen.some((words) => threat.includes(words))
const wanted = defences.filter(isChosen)
if (wanted.length === 0) throw new Error(`No threat has any of these in its name: ${chosen.join(', ')}`)

/** What threads and processes run comes from the build, all else from the sources. */
function needsBuild({ threat, edits }: Defence): boolean {
  const test = readFileSync(join(root, fileOf(threat)), 'utf8')
  return test.includes('startBuiltService') || edits.some(({ file }) => /\/(?:worker|thread)\//.test(file))
}

const outcomeOf = (outcomes: readonly Outcome[], threat: string) =>
  outcomes.find(({ title, status }) => title === threat && status !== 'skipped')

let failures = 0

function tell(isRight: boolean, outcome: string, what: string): void {
  if (!isRight) failures += 1
  console.log(`${isRight ? 'ok  ' : 'FAIL'}  ${outcome.padEnd(8)}  ${what}`)
}

const copy = copyProject()

/** How the test of a threat ends without its defence, and whether that is for what the defence is against. */
async function judge(defence: Defence): Promise<{ isRight: boolean; outcome: string; why: string }> {
  const { threat, seen } = defence
  const name = `^.* ?${threat.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  return await copy.without(defence, async () => {
    if (needsBuild(defence)) await copy.build()
    const outcomes = await copy.test(longestMs.one, fileOf(threat), '-t', name)
    // What is meant to be bounded may outlast this run, or end by a later bound: that depends on the machine.
    const mayHang = seen === 'no end' || /for ever|never end/.test(threat)
    if (!outcomes) return { isRight: mayHang, outcome: 'hung', why: '' }
    const { status = 'not run', failureMessages = [] } = outcomeOf(outcomes, threat) ?? {}
    const said = failureMessages.map((message) => message.split('\n    at ')[0] ?? '').join('\n')
    return {
      isRight: status === 'failed' && said.includes(seen),
      outcome: status === 'failed' ? 'red' : status,
      why: said.includes(seen) ? '' : `, which is for another reason than ${JSON.stringify(seen)}: ${said}`,
    }
  })
}

try {
  const complaints = await copy.typecheck(wanted)
  tell(complaints === '', 'compiled', 'the sources with each defence switched off')
  console.log(complaints)
  await copy.build()
  console.log('With its defence, each test is to be green:')
  const files = [...new Set(wanted.map(({ threat }) => fileOf(threat)))]
  const results = (await copy.test(longestMs.all, ...files)) ?? []
  for (const threat of new Set(wanted.map((defence) => defence.threat))) {
    const { status = 'not run' } = outcomeOf(results, threat) ?? {}
    tell(status === 'passed', status, threat)
  }
  console.log('Without it, red, or hung, for what it is against:')
  for (const defence of wanted) {
    const { isRight, outcome, why } = await judge(defence)
    const edited = [...new Set(defence.edits.map(({ file }) => file))].join(', ')
    tell(isRight, outcome, `${defence.threat} (${edited})${why}`)
    if (needsBuild(defence)) await copy.build()
  }
} finally {
  copy.remove()
}
console.log(failures === 0 ? 'Every defence is proven.' : `${failures} not as expected.`)
process.exitCode = failures === 0 ? 0 : 1
