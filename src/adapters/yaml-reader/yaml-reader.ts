import { createThreads } from '../../lib/threads/ask-thread.ts'
import type { ReadYaml, YamlReader } from '../../ports/yaml-reader-port.ts'

interface YamlReaderOptions {
  /** Milliseconds for one text. */
  readonly limitMs?: number
  /** Texts that are read at the same time. */
  readonly threads?: number
}

/** Reads each text in a thread of its own. */
export function createYamlReader({ limitMs = 2000, threads = 2 }: YamlReaderOptions = {}): YamlReader {
  const module = 'adapters/yaml-reader/yaml-thread'
  return {
    read: createThreads<string, ReadYaml>({ module, task: 'read', limitMs, threads, memoryMb: 128 }),
  }
}
