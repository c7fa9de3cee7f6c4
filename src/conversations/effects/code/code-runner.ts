import type {
  CodeJob,
  CodeResult,
  OutgoingRequest,
  RequestOutcome,
} from '../../../engine/model/effect-payloads.ts'
import type { CodeOwner } from '../../../ports/code-sandbox-port.ts'
import type { ChatDependencies } from '../../dependencies.ts'
import { untilAborted } from '../../turn/abort.ts'
import type { CallBudget } from '../../turn/call-budget.ts'
import { createSandboxFetch } from './sandbox-fetch.ts'

/** Errors that code throws may quote what other systems answered, which is not for visitors. */
const failedAfterAsking = 'The code failed after it had asked another system'

/** Terms by which code of one turn runs. */
interface CodeRunnerTerms {
  readonly owner: CodeOwner
  readonly budget: CallBudget
  readonly deps: Pick<ChatDependencies, 'limits' | 'sandbox' | 'closing' | 'metrics'>
  /** Why code is not run when the turn has no time left. */
  readonly outOfTime: string
  /** Sends what the code fetches. */
  send(request: OutgoingRequest, ended: AbortSignal): Promise<RequestOutcome>
}

/** Runs the code of one turn in the sandbox, within the time that all of it may take together. */
export class CodeRunner {
  readonly #terms: CodeRunnerTerms
  #usedMs = 0

  constructor(terms: CodeRunnerTerms) {
    this.#terms = terms
  }

  async run(job: CodeJob): Promise<CodeResult> {
    const { budget, outOfTime, owner, deps } = this.#terms
    const { codeTurnMs } = deps.limits
    if (this.#usedMs > codeTurnMs) {
      deps.metrics.limitReached('codeTurnMs')
      return cutOff(`Code may run for ${codeTurnMs} ms in one turn`)
    }
    if (budget.leftMs() <= 0) return cutOff(outOfTime)
    const { result, hasAsked } = await this.#runInSandbox(job)
    budget.refuseWhenClosing()
    this.#usedMs += result?.ranMs ?? 0
    if (!result || result.ok || !hasAsked || owner.kind !== 'live') return result ?? cutOff(outOfTime)
    return { ...result, message: failedAfterAsking }
  }

  async #runInSandbox(job: CodeJob): Promise<{ result: CodeResult | undefined; hasAsked: boolean }> {
    const { owner, send } = this.#terms
    const { limits, sandbox, closing } = this.#terms.deps
    const ended = new AbortController()
    let hasAsked = false
    const fetch = createSandboxFetch((request) => {
      hasAsked = true
      return send(request, ended.signal)
    })
    const terms = { owner, limitMs: limits.codeMs, fetch }
    const result = await withSignalOf(closing, ended, () => untilAborted(sandbox.run(job, terms), closing))
    return { result, hasAsked }
  }
}

const cutOff = (message: string): CodeResult => ({ ok: false, message, reason: 'limit' })

/**
 * Does work whose requests end with it, as nothing waits for what code has not waited for, or with the service. Nothing
 * is left on the signal of the service, which lives as long as the process.
 */
async function withSignalOf<T>(
  closing: AbortSignal,
  ended: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => ended.abort()
  closing.addEventListener('abort', end)
  try {
    return await work()
  } finally {
    closing.removeEventListener('abort', end)
    ended.abort()
  }
}
