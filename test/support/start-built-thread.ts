import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { ThreadModule } from '../../src/lib/threads/start-thread.ts'

const built = pathToFileURL(join(import.meta.dirname, '../../dist/bin/'))

/** Stands in for `startThread` in tests: threads load what is built, since from sources each takes a second to begin. */
export function startThread(module: ThreadModule, options: WorkerOptions): Worker {
  return new Worker(new URL(`${module}.js`, built), { ...options, execArgv: [] })
}
