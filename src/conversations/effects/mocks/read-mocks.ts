import type { Mocks } from '../../../../schemas/mocks.ts'
import { invalidInput, type Problem } from '../../../lib/errors.ts'

/** Characters of all rules: they are written anew with each turn of the session. */
const longest = 64 * 1024

/** The fields of mocks that are lists of rules. */
export const ruleKinds = ['http', 'vendors', 'models'] as const

/** Keys of a rule's answer, of which it has one. */
const answers = ['reply', 'fail', 'tool', 'pass'] as const

/** Reads the mocks of a request; undefined where it has the real world. */
export function readMocks(body: {
  readonly mocks?: Mocks | undefined
  readonly dryRun?: boolean | undefined
}): Mocks | undefined {
  const { mocks, dryRun } = body
  if (!mocks) return dryRun ? {} : undefined
  const problems = [...problemsOfMocks(mocks)]
  if (problems.length > 0) throw invalidInput(problems)
  return mocks
}

/** Finds mistakes in mocks that are of the right shape. Pointers begin at `/mocks`. */
export function* problemsOfMocks(mocks: Mocks): Generator<Problem> {
  const length = lengthOf(mocks)
  if (length === undefined) yield { pointer: '/mocks', message: 'is nested too deeply' }
  else if (length > longest) {
    yield { pointer: '/mocks', message: `must have at most ${longest} characters together, not ${length}` }
  }
  if (mocks.clock !== undefined && Number.isNaN(Date.parse(mocks.clock))) {
    yield { pointer: '/mocks/clock', message: 'must be a moment like 2026-11-21T09:00:00Z' }
  }
  for (const kind of ruleKinds) {
    for (const [index, rule] of (mocks[kind] ?? []).entries()) {
      const given = answers.filter((name) => Object.hasOwn(rule, name))
      const pointer = `/mocks/${kind}/${index}`
      if (given.length > 1)
        yield { pointer, message: `must answer in one way: not by ${given.join(' and ')}` }
      const { reply } = rule
      if (typeof reply === 'object' && Object.hasOwn(reply, 'json') && reply.text !== undefined)
        yield { pointer: `${pointer}/reply`, message: "must have either 'json' or 'text'" }
    }
  }
}

/** Characters of the rules; undefined for what is nested beyond all bounds. */
function lengthOf(mocks: Mocks): number | undefined {
  try {
    return JSON.stringify(mocks).length
  } catch {
    return undefined
  }
}
