import { startThread } from '../../lib/threads/start-thread.ts'
import { type CompiledYaml, compileYaml } from './compile-yaml.ts'

/** Texts up to this length take a few milliseconds, and less than a thread does to start, unless they have anchors: those may stand for anything. */
const shortText = 16_384
const anchor = /(?:^|[\s,[{])&\S/

/** The largest text takes some seconds. */
const limitMs = 60_000

const memoryMb = 512

/** One at a time: each takes a processor for itself. */
let last: Promise<unknown> = Promise.resolve()

/** Compiles a flow in YAML. A long text is compiled in a thread, as nobody would be served meanwhile. */
export function readYamlFlow(text: string, pointers: readonly string[] = []): Promise<CompiledYaml> {
  if (text.length <= shortText && !anchor.test(text)) return Promise.resolve(compileYaml(text, pointers))
  const compiled = last.then(() => compileInThread(text, pointers))
  last = compiled.catch(() => undefined)
  return compiled
}

async function compileInThread(text: string, pointers: readonly string[]): Promise<CompiledYaml> {
  const thread = startThread('publication/flow-folder/compile-yaml-thread', {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      const fail = (reason: string) =>
        reject(new Error(`takes ${reason} to compile: make several flows of it`))
      timer = setTimeout(() => fail(`longer than ${limitMs / 1000} s`), limitMs)
      thread.once('message', resolve)
      thread.once('error', () => fail('too much memory'))
      thread.postMessage({ text, pointers })
    })
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
