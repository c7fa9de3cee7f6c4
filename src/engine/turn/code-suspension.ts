import type { CodeJob, CodeResult } from '../model/effect-payloads.ts'

/** Thrown for code whose result is not known yet: the runner of the work asks for it and starts the work again. */
export class CodePending extends Error {
  readonly job: CodeJob

  constructor(job: CodeJob) {
    super('code waits for its result')
    this.job = job
  }
}

/** How much code one block, or one text outside of blocks, may have run. */
const mostJobs = 100

const tooMuch: CodeResult = Object.freeze({
  ok: false,
  message: `More than ${mostJobs} pieces of code in one block`,
  reason: 'limit',
})

/**
 * What code came to while one piece of work is done, and begun again. The work meets the same code in the same order
 * each time that it is begun, so that results go by their turn, and equal code is run as often as it stands there.
 */
export class CodeResultCache {
  readonly #results: CodeResult[] = []
  #met = 0

  /** Throws `Suspended` for code that has not been asked for. */
  resultOf(job: CodeJob): CodeResult {
    const known = this.#results[this.#met]
    if (!known && this.#results.length < mostJobs) throw new CodePending(job)
    this.#met += 1
    return known ?? tooMuch
  }

  /** Keeps the result that the work was suspended for, which is begun again. */
  keep(result: CodeResult): void {
    this.#results.push(result)
    this.#met = 0
  }
}
