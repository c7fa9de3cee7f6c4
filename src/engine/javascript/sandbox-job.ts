import type { CodeJob, CodeResult } from '../model/effect-payloads.ts'
import { ask, type Effects } from '../model/effects.ts'
import type { RunCode } from '../model/scope.ts'
import type { CodeOutcome } from './outcome.ts'

/** Sandbox jobs of one block, one response, or one text outside of blocks. */
const mostJobs = 100

/** Makes what runs the code of one of these. `whose` ends the message about more; `afterwards` is done after each effect. */
export function createRunCode(whose: string, afterwards?: () => Effects<void>): RunCode {
  let left = mostJobs
  return function* (jobs) {
    const allowed = jobs.slice(0, left)
    left -= allowed.length
    const results = allowed.length > 0 ? yield* ask({ type: 'evaluate', jobs: allowed }) : []
    if (afterwards) yield* afterwards()
    return jobs.map((_, index) => results[index] ?? tooMuch(whose))
  }
}

function tooMuch(whose: string): CodeResult {
  return { ok: false, message: `More than ${mostJobs} pieces of code ${whose}`, reason: 'limit' }
}

/** Runs one piece of code in the sandbox, without counting. */
export function* runJob(job: CodeJob): Effects<CodeResult> {
  const [result] = yield* ask({ type: 'evaluate', jobs: [job] })
  return result as CodeResult
}

/** Outcome of code in the sandbox: only a thrown error says something about the code itself. */
export function toOutcome(result: CodeResult): CodeOutcome {
  if (result.ok) return { ok: true, value: result.value }
  return { ok: false, message: result.message, needsSandbox: result.reason !== 'thrown' }
}

const call = /\bfetch\s*\(/

/** Whether code may call `fetch`: it is run apart then from code that only computes. */
export function mayFetch(body: string): boolean {
  return call.test(body)
}
