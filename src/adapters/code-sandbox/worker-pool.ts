import type { CodeOwner, CodeTerms } from '../../ports/code-sandbox-port.ts'
import type { CodeJob, CodeResult } from '../../ports/known-types.ts'
import { FairQueue, groupOf } from './fair-queue.ts'
import {
  createWorkerHandle,
  type Task,
  type WorkerHandle,
  type WorkerHandleOptions,
} from './worker-handle.ts'

/** A few threads, started when they are needed, and those who wait for one. */
export interface WorkerPool {
  run(job: CodeJob, terms?: CodeTerms): Promise<CodeResult>
  /** Whether threads run, or nothing speaks against starting one. Where they have all gone, it tries to start one. */
  isAlive(): boolean
  threadCount(): number
  close(): void
}

export interface WorkerPoolOptions extends Pick<WorkerHandleOptions, 'data' | 'fetchLimitMs'> {
  readonly threads: number
  /** Milliseconds that any code may run. */
  readonly limitMs: number
  /** Threads that one published flow may hold at once, and that all previews together may. */
  readonly share: { readonly flow: number; readonly previews: number }
  /** How many may wait. */
  readonly queueLength: number
  /** How many of them may belong to one published flow, or to previews. */
  readonly shareOfQueue: number
  /** How long each may wait. */
  readonly maxWaitMs: number
  /** Called for each thread that ended while it ran a job. */
  onLoss?(): void
  /** Tests put threads of their own in place. */
  readonly start?: typeof createWorkerHandle
}

interface WaitingTask extends Task {
  readonly owner: CodeOwner | undefined
  /** Ends the wait. */
  timer?: NodeJS.Timeout
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const {
    threads: most,
    limitMs: mostMs,
    share,
    queueLength,
    shareOfQueue,
    maxWaitMs,
    data,
    fetchLimitMs,
    onLoss,
  } = options
  const { start: startOne = createWorkerHandle } = options
  const threads = new Set<WorkerHandle>()
  const idle: WorkerHandle[] = []
  const queue = new FairQueue<WaitingTask>()
  /** Threads that each group holds. */
  const held = new Map<string, number>()
  let isClosed = false
  /** Whether the last thread went without another to take its place, and none has got ready since. */
  let isDead = false

  const heldBy = (group: string) => held.get(group) ?? 0

  const mayHaveThread = (group: string) => heldBy(group) < (group === previews ? share.previews : share.flow)

  const hold = (group: string, more: number) => {
    const count = heldBy(group) + more
    if (count === 0) held.delete(group)
    else held.set(group, count)
  }

  const runOn = (thread: WorkerHandle, task: WaitingTask) => {
    const group = groupOf(task.owner)
    clearTimeout(task.timer)
    hold(group, 1)
    thread.run({
      ...task,
      settle(result) {
        hold(group, -1)
        task.settle(result)
        serve()
      },
    })
  }

  /** No thread is idle afterwards while somebody waits who may have it. */
  const serve = () => {
    while (idle.length > 0 && !isClosed) {
      const task = queue.take(mayHaveThread)
      if (!task) return
      runOn(idle.pop()!, task)
    }
  }

  const rest = (thread: WorkerHandle) => {
    idle.push(thread)
    serve()
  }

  const start = () => {
    let wasReady = false
    const thread = startOne({
      data,
      fetchLimitMs,
      onReady(ready) {
        wasReady = true
        isDead = false
        rest(ready)
      },
      onIdle: rest,
      onEnd(ended) {
        leave(ended)
        if (wasReady && !isClosed) onLoss?.()
        // A thread that never became ready would fail the same way again.
        if (wasReady && !isClosed) tryToStart()
        else if (threads.size === 0) giveUp()
      },
    })
    threads.add(thread)
  }

  const tryToStart = () => {
    try {
      start()
    } catch {
      // The system has no more threads to give.
      if (threads.size === 0) giveUp()
    }
  }

  const leave = (thread: WorkerHandle) => {
    threads.delete(thread)
    const index = idle.indexOf(thread)
    if (index >= 0) idle.splice(index, 1)
  }

  const giveUp = () => {
    isDead = true
    for (const task of queue.clear()) {
      clearTimeout(task.timer)
      task.settle(unavailable)
    }
  }

  const wait = (task: WaitingTask) => {
    task.timer = setTimeout(() => {
      queue.delete(task)
      task.settle(busy)
    }, maxWaitMs)
    queue.add(task)
    if (threads.size < most && mayHaveThread(groupOf(task.owner))) tryToStart()
  }

  return {
    run: (job, { owner, fetch, limitMs = mostMs } = {}) =>
      new Promise((settle) => {
        const task = { job, owner, fetch, limitMs: Math.min(limitMs, mostMs), settle }
        const group = groupOf(owner)
        if (isClosed) settle(unavailable)
        else if (idle.length > 0 && mayHaveThread(group)) runOn(idle.pop()!, task)
        else if (queue.size >= queueLength || queue.sizeOf(group) >= shareOfQueue) settle(busy)
        else wait(task)
      }),
    isAlive() {
      // No job is accepted after closing: it would start a thread.
      if (isDead && threads.size === 0 && !isClosed) tryToStart()
      return !isDead
    },
    threadCount: () => threads.size,
    close() {
      isClosed = true
      for (const thread of [...threads]) thread.end(unavailable)
      giveUp()
    },
  }
}

const previews = groupOf({ kind: 'preview', id: '' })

const refused = (message: string): CodeResult => ({ ok: false, reason: 'busy', message })

const busy = refused('Too much code waits to be run')

/** Nothing can be run: the sandbox is closed, or does not start. */
export const unavailable = refused('No code can be run now')
