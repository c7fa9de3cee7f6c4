import { Worker, type WorkerOptions } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/** Later versions of Node need no loader for sources. */
const readsTypes = Boolean((process.features as { readonly typescript?: string | false }).typescript)

/** Starts the thread of the database: compiled when this is, and else from its source, through the loader of the tests. */
export function startThread(options: WorkerOptions): Worker {
  const file = new URL(`./thread/thread.${isSource ? 'ts' : 'js'}`, import.meta.url)
  if (!isSource || readsTypes) return new Worker(file, { ...options, execArgv: [] })
  // A loader that is asked for by option leaves out the first file of a thread on Node 20.
  const loader = import.meta.resolve('tsx/esm/api')
  const script = `import('${loader}').then(({ register }) => register()).then(() => import('${file.href}'))`
  return new Worker(script, { ...options, eval: true, execArgv: [] })
}
