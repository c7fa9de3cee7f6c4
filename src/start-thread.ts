import { Worker, type WorkerOptions } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/** Later versions of Node need no loader for sources. */
const readsTypes = Boolean((process.features as { readonly typescript?: string | false }).typescript)

/**
 * Starts a thread by the name that its file has once it is compiled: from that when this is compiled, and else from its
 * source, through the loader of the tests.
 */
export function startThread(compiled: URL, options: WorkerOptions): Worker {
  if (!isSource) return new Worker(compiled, { ...options, execArgv: [] })
  const file = new URL(compiled.href.replace(/\.js$/, '.ts'))
  if (readsTypes) return new Worker(file, { ...options, execArgv: [] })
  // A loader that is asked for by option leaves out the first file of a thread on Node 20.
  const loader = import.meta.resolve('tsx/esm/api')
  const script = `import('${loader}').then(({ register }) => register()).then(() => import('${file.href}'))`
  return new Worker(script, { ...options, eval: true, execArgv: [] })
}
