import type { Worker } from 'node:worker_threads'
import { startThread } from '../../lib/threads/start-thread.ts'
import { inSteps } from '../in-steps.ts'
import type { StoreBounds } from '../store-bounds.ts'
import type { StoreReport } from '../store-health.ts'
import { repeating, systemTimers } from '../timers.ts'
import type { Calls, FromThread, ThreadData } from './database-protocol.ts'
import { createStorageHealth } from './storage-health.ts'
import { type BindingName, usualBinding } from './thread/binding.ts'
import type { Rows } from './thread/rows.ts'
import { ThreadRequests } from './thread-requests.ts'

type StoredUsage = ReturnType<Rows['sweeper']['usage']>

export interface DatabaseOptions {
  readonly folder: string
  readonly bounds: StoreBounds
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

const nothing = { entries: 0, bytes: 0, evicted: 0 }

/** Reads that are remembered before they are kept. */
const maxReads = 10_000

/** Opens the folder for this process alone. Rejects in words when it is another's, or can't be used. */
export async function openDataFolder(options: DatabaseOptions): Promise<DataFolder> {
  const { folder, bounds, now, report, asked, binding = usualBinding(), sweepMs = 5000 } = options
  const data: ThreadData = { folder, binding, now: now(), bounds }
  // The thread closes its files itself, and Node 20 warns of those that it has not counted.
  const thread = startThread('stores/sqlite/thread/thread', { workerData: data, trackUnmanagedFds: false })
  const { failure, warning } = await untilReady(thread)
  if (warning !== undefined) report.warn({}, warning)
  const probe = async (bytes: number) => {
    await requests.send('definitions.probe', [bytes])
    await requests.send('definitions.endProbe', [])
  }
  const health = createStorageHealth({ report, probe }, folder)
  const requests = new ThreadRequests(thread, { health, now, asked })
  if (failure) health.failed('probe', failure)
  return new DataFolder(requests, { now, binding, sweepMs, problems: health.problems })
}

interface FolderTerms {
  readonly binding: BindingName
  readonly sweepMs: number
  now(): number
  problems(): Promise<readonly string[]>
}

/** The database of a folder, in a thread of its own. */
export class DataFolder {
  readonly binding: BindingName
  readonly now: () => number
  readonly problems: () => Promise<readonly string[]>
  readonly #requests: ThreadRequests
  readonly #sweeper: Calls<Rows['sweeper'], 'usage' | 'sweep'>
  readonly #counts: Calls<Rows['counts'], 'fold' | 'sweep'>
  readonly #reads = new Map<string, number>()
  #lastUsage: StoredUsage = { sessions: nothing, answers: nothing, results: nothing }

  constructor(requests: ThreadRequests, { now, binding, sweepMs, problems }: FolderTerms) {
    this.binding = binding
    this.now = now
    this.problems = problems
    this.#requests = requests
    this.#sweeper = this.calls('sweeper', 'usage', 'sweep')
    this.#counts = this.calls('counts', 'fold', 'sweep')
    // What fails has been noted, and is tried again.
    const isWanted = () => sweepMs > 0 && !this.#requests.isOver
    repeating({ timers: systemTimers, pauseMs: sweepMs, isWanted, work: () => this.sweep() })()
  }

  /** Methods of some rows, each of which is a request to the thread (`ThreadRequests.send`). */
  calls<Name extends keyof Rows, Method extends keyof Rows[Name] & string>(
    rows: Name,
    ...methods: readonly Method[]
  ): Calls<Rows[Name], Method> {
    const calls = methods.map((method) => {
      const kind = `${rows}.${method}`
      return [method, (...args: readonly unknown[]) => this.#requests.send(kind, args)]
    })
    return Object.fromEntries(calls)
  }

  /** A session was read: it lives on. Kept with one of the next steps. */
  touch(id: string): void {
    this.#reads.set(id, this.now())
    if (this.#reads.size >= maxReads) this.#keepReads()
  }

  /** A session was kept, which makes it live as long as its last use does. */
  untouch(id: string): void {
    this.#reads.delete(id)
  }

  /** When a session was read, where that is yet to be kept. */
  readAt(id: string): number | undefined {
    return this.#reads.get(id)
  }

  /** How much there is; as it was last known while the disk fails. */
  async usage(): Promise<StoredUsage> {
    this.#lastUsage = await this.#sweeper.usage().catch(() => this.#lastUsage)
    return this.#lastUsage
  }

  /** Erases what is past its time or its bounds and counts what turns have left, in steps between other requests. */
  async sweep(): Promise<void> {
    const steps = [
      () => this.#sweeper.sweep(this.#takeReads()),
      () => this.#counts.fold(),
      () => this.#counts.sweep(),
    ]
    for (const step of steps) await inSteps(async () => !this.#requests.isOver && (await step()))
  }

  /** Its thread, which carries out a batch of requests at a time. */
  connections() {
    return this.#requests.connections()
  }

  /** Keeps what was sent, and lets go of the folder. */
  async close(): Promise<void> {
    if (this.#requests.isOver) return
    if (this.#reads.size > 0) this.#keepReads()
    await this.#requests.close()
  }

  #takeReads() {
    const taken = [...this.#reads]
    this.#reads.clear()
    return taken
  }

  #keepReads(): void {
    this.#sweeper.sweep(this.#takeReads()).catch(() => undefined)
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
