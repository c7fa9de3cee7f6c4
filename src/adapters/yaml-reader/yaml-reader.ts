import { startThread } from '../../lib/start-thread.ts'
import type { ReadYaml, YamlReader } from '../../ports/yaml-reader-port.ts'

interface YamlReaderOptions {
  /** Milliseconds for one text. */
  readonly limitMs?: number
  /** Texts that are read at the same time. */
  readonly threads?: number
  /** Mebibytes that one of them may take. */
  readonly memoryMb?: number
}

/** Reads each text in a thread of its own, which ends with it: no request waits for what takes long. */
export function createYamlReader({
  limitMs = 2000,
  threads = 2,
  memoryMb = 128,
}: YamlReaderOptions = {}): YamlReader {
  let running = 0
  return {
    async read(text) {
      if (running >= threads) return undefined
      running += 1
      try {
        return await readInThread(text, { limitMs, memoryMb })
      } finally {
        running -= 1
      }
    },
  }
}

async function readInThread(
  text: string,
  { limitMs, memoryMb }: { readonly limitMs: number; readonly memoryMb: number },
): Promise<ReadYaml> {
  const thread = startThread('adapters/yaml-reader/yaml-thread', {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ReadYaml>((resolve) => {
      thread.on('message', (message: 'ready' | ReadYaml) => {
        if (message !== 'ready') return resolve(message)
        timer = setTimeout(() => resolve({ refusal: `takes longer than ${limitMs} ms to read` }), limitMs)
        thread.postMessage(text)
      })
      thread.once('error', () => resolve({ refusal: 'takes too much memory to read' }))
    })
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
