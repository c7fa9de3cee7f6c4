import type { Worker } from 'node:worker_threads'
import { ServiceError } from '../../lib/errors.ts'
import type { FromThread, Outcomes, Request, ToThread } from './database-protocol.ts'
import type { createStorageHealth } from './storage-health.ts'

interface QueuedRequest {
  readonly request: Request
  readonly from: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Terms {
  readonly health: ReturnType<typeof createStorageHealth>
  /** Milliseconds since 1970. */
  now(): number
  /** Told how long each request took, with the wait for those before it. */
  readonly asked?: ((ms: number) => void) | undefined
}

/** Requests of one transaction. */
const batchSize = 1000

/** Requests to the thread of a database, in batches of which each is one transaction there. */
export class ThreadRequests {
  readonly #thread: Worker
  readonly #terms: Terms
  #waiting: QueuedRequest[] = []
  #running: QueuedRequest[] | undefined
  #isScheduled = false
  #failure: ServiceError | undefined
  #closed: (() => void) | undefined

  constructor(thread: Worker, terms: Terms) {
    this.#thread = thread
    this.#terms = terms
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'done') this.#settle(message.outcomes)
      else this.#closed?.()
    })
    thread.on('error', (error) => this.#fail(error as Error))
    thread.on('exit', () => {
      if (!this.#closed) this.#fail(new Error('its thread has ended'))
    })
  }

  get isOver(): boolean {
    return this.#closed !== undefined || this.#failure !== undefined
  }

  /**
   * Runs a request. What it changed is on the disk when this resolves; requests take effect, and their promises
   * resolve, in the order in which they were sent. Rejects with SERVICE_UNAVAILABLE when the disk fails.
   */
  send(kind: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#closed)
      return Promise.reject(new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down'))
    const sent = new Promise((resolve, reject) => {
      const request = { kind, now: this.#terms.now(), args }
      this.#waiting.push({ request, from: performance.now(), resolve, reject })
    })
    this.#schedule()
    return sent
  }

  connections() {
    const busy = this.#running ? 1 : 0
    return { busy, idle: 1 - busy, waiting: this.#waiting.length }
  }

  /** Carries out what was sent, and ends the thread. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closed = resolve
      this.#next()
    })
    await this.#thread.terminate()
  }

  /**
   * While one batch is written the next one gathers. It waits for what comes in the same turn of the loop, and for the
   * answers to the one before.
   */
  #schedule(): void {
    if (this.#isScheduled || this.#running) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#next()
    })
  }

  #next(): void {
    if (this.#running) return
    if (this.#waiting.length > 0) {
      this.#running = this.#waiting.splice(0, batchSize)
      this.#post({ batch: this.#running.map(({ request }) => request) })
    } else if (this.#closed) {
      this.#post('close')
    }
  }

  #post(message: ToThread): void {
    this.#thread.postMessage(message)
  }

  #settle({ values, failures }: Outcomes): void {
    const { health, asked } = this.#terms
    const batch = this.#running ?? []
    this.#running = undefined
    for (const [index, { request, from, resolve, reject }] of batch.entries()) {
      asked?.(performance.now() - from)
      const failure = failures?.[index]
      if (failure) reject(health.failed(request.kind, failure))
      else resolve(values[index])
    }
    if (failures === undefined || failures.includes(undefined)) health.served()
    this.#schedule()
  }

  #fail(error: Error): void {
    this.#failure = this.#terms.health.stop(error)
    for (const { reject } of [...(this.#running ?? []), ...this.#waiting]) reject(this.#failure)
    this.#running = undefined
    this.#waiting = []
    this.#closed?.()
  }
}
