import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const startThread = pathToFileURL(
  join(import.meta.dirname, '../../dist/src/lib/threads/start-thread.js'),
).href

/** Starts one of the service's threads, and then another with the same limits that tells what its heap may have. */
const script = `
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  import { startThread } from '${startThread}'
  const resourceLimits = { maxOldGenerationSizeMb: 64 }
  const thread = startThread('publication/flow-folder/compile-yaml-thread', { resourceLimits })
  const telling = "require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)"
  const options = { eval: true, execArgv: [], resourceLimits: thread.resourceLimits }
  const [bytes] = await once(new Worker(telling, options), 'message')
  console.log(bytes / 2 ** 20)
  process.exit()
`

it.each(['--max-semi-space-size=64', '--max-semi-space-size=16'])(
  'keeps the young objects of threads within 48 MiB in a process with %s',
  async (option) => {
    const args = [option, '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(Number(stdout)).toBe(64 + 48)
  },
)
