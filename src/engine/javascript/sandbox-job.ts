import type { CodeJob, CodeResult } from '../model/effect-payloads.ts'
import type { Scope } from '../model/scope.ts'
import type { Evaluated } from './outcome.ts'

/** Has the sandbox run what goes beyond the engine; where there is none, the code did not run. */
export function runInSandbox(job: CodeJob, { sandbox }: Scope): Evaluated {
  if (!sandbox) return { ok: false, message: 'The code was not run', needsSandbox: true }
  return toOutcome(sandbox(job))
}

/** What code came to in the sandbox: only what was thrown says something about the code itself. */
export function toOutcome(result: CodeResult): Evaluated {
  if (result.ok) return { ok: true, value: result.value }
  return { ok: false, message: result.message, needsSandbox: result.reason !== 'thrown' }
}
