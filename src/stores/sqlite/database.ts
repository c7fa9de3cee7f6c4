import type { Worker } from 'node:worker_threads'
import { ServiceError } from '../../lib/errors.ts'
import { startThread } from '../../lib/start-thread.ts'
import type { StoreReport } from '../store-health.ts'
import type {
  ArgumentsOf,
  FromThread,
  Kind,
  Outcomes,
  Request,
  ThreadData,
  ToThread,
} from './database-protocol.ts'
import { createStorageHealth } from './storage-health.ts'
import { type BindingName, usualBinding } from './thread/binding.ts'
import type { Handlers } from './thread/handlers.ts'
import type { DiskBounds } from './thread/sweeper.ts'

type StoredUsage = ReturnType<Handlers['usage']>

export interface DatabaseOptions {
  readonly folder: string
  readonly bounds: DiskBounds
  /** Milliseconds since 1970. */
  now(): number
  readonly report: StoreReport
  /** Told how long each request took, with the wait for those before it. */
  readonly asked?: (ms: number) => void
  /** Usually what this version of Node has. */
  readonly binding?: BindingName | undefined
  /** Milliseconds between two steps of erasing what is past its time; 0 takes none. */
  readonly sweepMs?: number | undefined
}

/** The database of a folder, in a thread of its own. */
export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>

interface Sent {
  readonly request: Request
  readonly from: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

const nothing = { entries: 0, bytes: 0, evicted: 0 }

/** Requests of one transaction. */
const batchSize = 1000

/** Reads that are remembered before they are kept. */
const maxReads = 10_000

/** Opens the folder for this process alone. Rejects in words when it is another's, or can't be used. */
export async function openDataFolder(options: DatabaseOptions) {
  const { folder, bounds, now, report, asked, binding = usualBinding(), sweepMs = 5000 } = options
  const data: ThreadData = { folder, binding, now: now(), bounds }
  // The thread closes its files itself, and Node 20 warns of those that it has not counted.
  const thread = startThread('stores/sqlite/thread/thread', { workerData: data, trackUnmanagedFds: false })
  const { failure: failed, warning } = await untilReady(thread)
  if (warning !== undefined) report.warn({}, warning)
  const probe = async (bytes: number) => {
    await send('probe', bytes)
    await send('end probe')
  }
  const health = createStorageHealth({ report, probe }, folder)
  const reads = new Map<string, number>()
  if (failed) health.failed('probe', failed)
  let lastUsage: StoredUsage = { sessions: nothing, answers: nothing, results: nothing }
  let waiting: Sent[] = []
  let running: Sent[] | undefined
  let isScheduled = false
  let failure: ServiceError | undefined
  let closed: (() => void) | undefined

  const post = (message: ToThread) => thread.postMessage(message)

  /**
   * While one batch is written the next one gathers. It waits for what comes in the same turn of the loop, and for the
   * answers to the one before.
   */
  function schedule(): void {
    if (isScheduled || running) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      next()
    })
  }

  function next(): void {
    if (running) return
    if (waiting.length > 0) {
      running = waiting.splice(0, batchSize)
      post({ batch: running.map(({ request }) => request) })
    } else if (closed) {
      post('close')
    }
  }

  function settle({ values, failures, hasWritten }: Outcomes): void {
    const batch = running ?? []
    running = undefined
    if (hasWritten) health.served()
    for (const [index, { request, from, resolve, reject }] of batch.entries()) {
      asked?.(performance.now() - from)
      const failure = failures?.[index]
      if (failure) reject(health.failed(request.kind, failure))
      else resolve(values[index] as never)
    }
    schedule()
  }

  function fail(error: Error): void {
    failure = health.stop(error)
    for (const { reject } of [...(running ?? []), ...waiting]) reject(failure)
    running = undefined
    waiting = []
    closed?.()
  }

  thread.on('message', (message: FromThread) => {
    if (message.kind === 'done') settle(message.outcomes)
    else closed?.()
  })
  thread.on('error', (error) => fail(error as Error))
  thread.on('exit', () => {
    if (!closed) fail(new Error('its thread has ended'))
  })

  /**
   * Runs a request. What it changed is on the disk when this resolves; requests take effect, and their promises
   * resolve, in the order in which they were sent. Rejects with SERVICE_UNAVAILABLE when the disk fails.
   */
  function send<K extends Kind>(kind: K, ...args: ArgumentsOf<K>): Promise<ReturnType<Handlers[K]>> {
    if (failure) return Promise.reject(failure)
    if (closed) return Promise.reject(new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down'))
    const sent = new Promise<never>((resolve, reject) => {
      waiting.push({ request: { kind, now: now(), args }, from: performance.now(), resolve, reject })
    })
    schedule()
    return sent
  }

  function takeReads() {
    const taken = [...reads]
    reads.clear()
    return taken
  }

  /** Erases what is past its time or its bounds, in steps between other requests. */
  async function sweep(): Promise<void> {
    while (!closed && (await send('sweep', takeReads()))) await new Promise(setImmediate)
  }

  let timer: NodeJS.Timeout | undefined
  function sweepLater(): void {
    if (sweepMs === 0 || closed || failure) return
    // What fails has been noted, and is tried again.
    timer = setTimeout(
      () =>
        sweep()
          .catch(() => undefined)
          .then(sweepLater),
      sweepMs,
    ).unref()
  }
  sweepLater()

  return {
    binding,
    send,
    now,
    /** A session was read: it lives on. Kept with one of the next steps. */
    touch(id: string): void {
      reads.set(id, now())
      if (reads.size >= maxReads) send('sweep', takeReads()).catch(() => undefined)
    },
    /** A session was kept, which makes it live as long as its last use does. */
    untouch: (id: string) => void reads.delete(id),
    /** When a session was read, where that is yet to be kept. */
    readAt: (id: string) => reads.get(id),
    /** How much there is; as it was last known while the disk fails. */
    async usage() {
      lastUsage = await send('usage').catch(() => lastUsage)
      return lastUsage
    },
    sweep,
    /** Its thread, which carries out a batch of requests at a time. */
    connections: () => ({ busy: running ? 1 : 0, idle: running ? 0 : 1, waiting: waiting.length }),
    problems: health.problems,
    /** Keeps what was sent, and lets go of the folder. */
    async close(): Promise<void> {
      clearTimeout(timer)
      if (failure || closed) return
      if (reads.size > 0) send('sweep', takeReads()).catch(() => undefined)
      await new Promise<void>((resolve) => {
        closed = resolve
        next()
      })
      await thread.terminate()
    },
  }
}

function untilReady(thread: Worker): Promise<Extract<FromThread, { kind: 'ready' }>> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('message', (message: FromThread) => {
      thread.off('error', reject)
      if (message.kind === 'refused') reject(new Error(message.message))
      else if (message.kind === 'ready') resolve(message)
    })
  })
}
