import type { SandboxFetch } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, CodeResult } from '../../ports/known-types.ts'
import { decodeRequest, type FetchAnswer, type FromWorker } from './protocol.ts'
import { maxFetches } from './worker/prelude.ts'

/** A job, and the callback for its result. */
export interface Task {
  readonly job: CodeJob
  readonly fetch: SandboxFetch | undefined
  /** Milliseconds that it may run. */
  readonly limitMs: number
  settle(result: CodeResult): void
}

/** A task on a thread, with the requests that its code has made and the answers that it got. */
export class RunningTask {
  readonly id: number
  readonly task: Task
  #requests = 0
  #answers = 0

  constructor(id: number, task: Task) {
    this.id = id
    this.task = task
  }

  /** Answers one `fetch`. The permission and the number of requests do not rest on the sandbox alone. */
  async fetch({ call, request }: FromWorker & { kind: 'fetch' }): Promise<FetchAnswer> {
    const { job, fetch } = this.task
    try {
      this.#requests += 1
      if (!fetch || !job.mayFetch || this.#requests > maxFetches)
        throw new Error('Nothing can be fetched here')
      return { call, isOk: true, text: String(await fetch(...decodeRequest(request))) }
    } catch (error) {
      return { call, isOk: false, text: error instanceof Error ? error.message : 'The request failed' }
    }
  }

  countAnswer(): void {
    this.#answers += 1
  }

  /** Whether the code waits, having taken so many answers; else it goes on with one that crossed its message. */
  isWaitingAfter(answers: number): boolean {
    return answers === this.#answers
  }
}
