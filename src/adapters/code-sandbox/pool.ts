import type { CodeJob, CodeResult, SandboxFetch } from '../../ports.ts'
import { startThread, type Task, type Thread, type ThreadOptions } from './thread.ts'

/** A few threads, started when they are needed, and those who wait for one. */
export interface SandboxPool {
  run(job: CodeJob, fetch?: SandboxFetch): Promise<CodeResult>
  close(): void
}

export interface PoolOptions extends Pick<ThreadOptions, 'data' | 'fetchLimitMs'> {
  readonly threads: number
  /** How many may wait. */
  readonly queueLength: number
  /** How long each may wait. */
  readonly maxWaitMs: number
}

export function createSandboxPool(options: PoolOptions): SandboxPool {
  const { threads: most, queueLength, maxWaitMs, data, fetchLimitMs } = options
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  /** Those who wait, and the timers that end it. */
  const queue = new Map<Task, NodeJS.Timeout>()
  let isClosed = false

  const next = (thread: Thread) => {
    const [task] = queue.keys()
    if (!task) return void idle.push(thread)
    stopWaiting(task)
    thread.run(task)
  }

  const stopWaiting = (task: Task) => {
    clearTimeout(queue.get(task))
    queue.delete(task)
  }

  const start = () => {
    let wasReady = false
    const thread = startThread({
      data,
      fetchLimitMs,
      onReady(ready) {
        wasReady = true
        next(ready)
      },
      onIdle: next,
      onEnd(ended) {
        leave(ended)
        // Whoever never got ready would be no better the next time.
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

  const leave = (thread: Thread) => {
    threads.delete(thread)
    const index = idle.indexOf(thread)
    if (index >= 0) idle.splice(index, 1)
  }

  const giveUp = () => {
    for (const task of [...queue.keys()]) {
      stopWaiting(task)
      task.settle(unavailable)
    }
  }

  const wait = (task: Task) => {
    const timer = setTimeout(() => {
      queue.delete(task)
      task.settle(busy)
    }, maxWaitMs)
    queue.set(task, timer)
    if (threads.size < most) tryToStart()
  }

  return {
    run: (job, fetch) =>
      new Promise((settle) => {
        const task = { job, fetch, settle }
        const thread = idle.pop()
        if (isClosed) settle(unavailable)
        else if (thread) thread.run(task)
        else if (queue.size >= queueLength) settle(busy)
        else wait(task)
      }),
    close() {
      isClosed = true
      for (const thread of [...threads]) thread.end(unavailable)
      giveUp()
    },
  }
}

const refused = (message: string): CodeResult => ({ ok: false, reason: 'busy', message })

const busy = refused('Too much code waits to be run')

/** Nothing can be run: the sandbox is closed, or does not start. */
export const unavailable = refused('No code can be run now')
