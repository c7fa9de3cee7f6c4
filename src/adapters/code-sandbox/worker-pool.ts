import type { CodeOwner, CodeTerms } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, CodeResult } from '../../ports/known-types.ts'
import { FairQueue, groupOf, type ShareOptions, ThreadShares } from './fair-queue.ts'
import { type Task, type WorkerHandle, type WorkerHandleOptions, WorkerThread } from './worker-handle.ts'

export interface WorkerPoolOptions extends Pick<WorkerHandleOptions, 'data' | 'fetchLimitMs'> {
  readonly threads: number
  /** Milliseconds that any code may run. */
  readonly limitMs: number
  readonly share: ShareOptions
  readonly queueLength: number
  /** Waiting tasks of one published flow, or of previews. */
  readonly shareOfQueue: number
  /** Longest wait of one task, in milliseconds. */
  readonly maxWaitMs: number
  /** Called for each thread that ended while it ran a job. */
  onLoss?(): void
  /** Tests put threads of their own in place. */
  start?(options: WorkerHandleOptions): WorkerHandle
}

interface QueuedTask extends Task {
  readonly owner: CodeOwner | undefined
  /** Ends the wait. */
  timer?: NodeJS.Timeout
}

/** A few threads, started when they are needed, and the tasks that wait for one. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #threads = new Set<WorkerHandle>()
  readonly #idle: WorkerHandle[] = []
  readonly #queue = new FairQueue<QueuedTask>()
  readonly #shares: ThreadShares
  #isClosed = false
  /** Whether the last thread ended without a successor, and none has become ready since. */
  #isDead = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#shares = new ThreadShares(options.share)
  }

  get threadCount(): number {
    return this.#threads.size
  }

  run(job: CodeJob, { owner, fetch, limitMs = Infinity }: CodeTerms = {}): Promise<CodeResult> {
    const { limitMs: mostMs, queueLength, shareOfQueue } = this.#options
    return new Promise((settle) => {
      const task = { job, owner, fetch, limitMs: Math.min(limitMs, mostMs), settle }
      const group = groupOf(owner)
      if (this.#isClosed) settle(unavailable)
      else if (this.#idle.length > 0 && this.#shares.hasRoom(group)) this.#runOn(this.#idle.pop()!, task)
      else if (this.#queue.size >= queueLength || this.#queue.sizeOf(group) >= shareOfQueue) settle(busy)
      else this.#enqueue(task)
    })
  }

  /** Whether threads run, or one may be started. Once all have ended, tries to start one. */
  isAlive(): boolean {
    // No job is accepted after closing: it would start a thread.
    if (this.#isDead && this.#threads.size === 0 && !this.#isClosed) this.#tryToStart()
    return !this.#isDead
  }

  close(): void {
    this.#isClosed = true
    for (const thread of [...this.#threads]) thread.end(unavailable)
    this.#giveUp()
  }

  #enqueue(task: QueuedTask): void {
    const { threads: most, maxWaitMs } = this.#options
    task.timer = setTimeout(() => {
      this.#queue.delete(task)
      task.settle(busy)
    }, maxWaitMs)
    this.#queue.add(task)
    if (this.#threads.size < most && this.#shares.hasRoom(groupOf(task.owner))) this.#tryToStart()
  }

  /** Afterwards no thread is idle while a task waits whose group has room. */
  #dispatch(): void {
    while (this.#idle.length > 0 && !this.#isClosed) {
      const task = this.#queue.take((group) => this.#shares.hasRoom(group))
      if (!task) return
      this.#runOn(this.#idle.pop()!, task)
    }
  }

  #runOn(thread: WorkerHandle, task: QueuedTask): void {
    const group = groupOf(task.owner)
    clearTimeout(task.timer)
    this.#shares.take(group)
    thread.run({
      ...task,
      settle: (result) => {
        this.#shares.release(group)
        task.settle(result)
        this.#dispatch()
      },
    })
  }

  #tryToStart(): void {
    try {
      this.#start()
    } catch {
      // The system has no more threads to give.
      if (this.#threads.size === 0) this.#giveUp()
    }
  }

  #start(): void {
    const { data, fetchLimitMs, onLoss, start = startThread } = this.#options
    let wasReady = false
    const thread = start({
      data,
      fetchLimitMs,
      onReady: (ready) => {
        wasReady = true
        this.#isDead = false
        this.#rest(ready)
      },
      onIdle: (idle) => this.#rest(idle),
      onEnd: (ended) => {
        this.#remove(ended)
        if (wasReady && !this.#isClosed) onLoss?.()
        // A thread that never became ready would fail the same way again.
        if (wasReady && !this.#isClosed) this.#tryToStart()
        else if (this.#threads.size === 0) this.#giveUp()
      },
    })
    this.#threads.add(thread)
  }

  #rest(thread: WorkerHandle): void {
    this.#idle.push(thread)
    this.#dispatch()
  }

  #remove(thread: WorkerHandle): void {
    this.#threads.delete(thread)
    const index = this.#idle.indexOf(thread)
    if (index >= 0) this.#idle.splice(index, 1)
  }

  #giveUp(): void {
    this.#isDead = true
    for (const task of this.#queue.clear()) {
      clearTimeout(task.timer)
      task.settle(unavailable)
    }
  }
}

const startThread = (options: WorkerHandleOptions): WorkerHandle => new WorkerThread(options)

const refused = (message: string): CodeResult => ({ ok: false, reason: 'busy', message })

const busy = refused('Too much code waits to be run')

/** Nothing can be run: the sandbox is closed, or does not start. */
export const unavailable = refused('No code can be run now')
