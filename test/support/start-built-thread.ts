import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const root = pathToFileURL(join(import.meta.dirname, '../..'))

/** Stands in for `startThread` in tests: threads load what is built, since from sources each takes a second to begin. */
export function startThread(compiled: URL, options: WorkerOptions): Worker {
  const built = compiled.href.replace(`${root}/src/`, `${root}/dist/src/`)
  return new Worker(new URL(built), { ...options, execArgv: [] })
}
