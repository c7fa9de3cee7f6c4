import { Worker, type WorkerOptions } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/** Starts the thread of the sandbox: compiled when this is, and else from its source, through the loader of the tests. */
export function startWorker(options: WorkerOptions): Worker {
  const file = new URL(`./worker/worker.${isSource ? 'ts' : 'js'}`, import.meta.url)
  if (!isSource) return new Worker(file, options)
  // A loader that is asked for by option leaves out the first file of a thread on Node 20.
  const loader = import.meta.resolve('tsx/esm/api')
  const script = `import('${loader}').then(({ register }) => register()).then(() => import('${file.href}'))`
  return new Worker(script, { ...options, eval: true, execArgv: [] })
}
