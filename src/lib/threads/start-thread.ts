import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'

/** The modules that threads begin with: their paths in `src`, without an extension. Each is built as a program. */
export const threadModules = [
  'adapters/code-sandbox/worker/worker',
  'adapters/system/process-watchdog-thread',
  'adapters/yaml-reader/yaml-thread',
  'publication/flow-folder/compile-yaml-thread',
  'stores/sqlite/thread/thread',
  'tooling/convert/convert-thread',
] as const

export type ThreadModule = (typeof threadModules)[number]

const isSource = import.meta.url.endsWith('.ts')

/** Later versions of Node need no loader for sources. */
const readsTypes = Boolean((process.features as { readonly typescript?: string | false }).typescript)

/** Room for young objects, as Node 20 has it in a thread. Node 24 has four times as much, whatever the container of the process. */
const usualLimits: ResourceLimits = { maxYoungGenerationSizeMb: 48 }

/** An option of the process is meant for its own heap, which has it by now. It would go before the limits of each thread. */
function keepLimitsOfThreads(): void {
  setFlagsFromString('--max-semi-space-size=0')
}

/** Starts a thread: from what was built when this was, and else from its source, through the loader of the tests. */
export function startThread(module: ThreadModule, given: WorkerOptions): Worker {
  keepLimitsOfThreads()
  const options = { ...given, resourceLimits: { ...usualLimits, ...given.resourceLimits } }
  const file = pathToFileURL(findAbove(import.meta.dirname, `${module}.${isSource ? 'ts' : 'js'}`))
  if (!isSource || readsTypes) return new Worker(file, { ...options, execArgv: [] })
  // A loader that is asked for by option leaves out the first file of a thread on Node 20.
  const loader = import.meta.resolve('tsx/esm/api')
  const script = `import('${loader}').then(({ register }) => register()).then(() => import('${file.href}'))`
  return new Worker(script, { ...options, eval: true, execArgv: [] })
}

/** The build joins modules into files of other folders: the nearest folder above that has the file is its root. */
function findAbove(folder: string, file: string): string {
  const path = join(folder, file)
  return existsSync(path) ? path : findAbove(dirname(folder), file)
}
