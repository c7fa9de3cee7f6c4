import type { Worker } from 'node:worker_threads'
import { startThread } from '../../lib/threads/start-thread.ts'
import { type CompiledYaml, compileYaml } from './compile-yaml.ts'

/** Texts up to this length take a few milliseconds, and less than a thread does to start, unless they have anchors: those may stand for anything. */
const shortText = 16_384
const anchor = /(?:^|[\s,[{])&\S/

const isShort = (text: string) => text.length <= shortText && !anchor.test(text)

/** The largest text takes some seconds. */
const limitMs = 60_000

const memoryMb = 512

/** One at a time: each takes a processor for itself. */
let last: Promise<unknown> = Promise.resolve()

/** Compiles a flow in YAML. A long text is compiled in a thread, as nobody would be served meanwhile. */
export function readYamlFlow(text: string, pointers: readonly string[] = []): Promise<CompiledYaml> {
  if (isShort(text)) return Promise.resolve(compileYaml(text, pointers))
  const compiled = last.then(() => compileInThread(text, pointers))
  last = compiled.catch(() => undefined)
  return compiled
}

async function compileInThread(text: string, pointers: readonly string[]): Promise<CompiledYaml> {
  const thread = startCompiler()
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

const startCompiler = (): Worker =>
  startThread('publication/flow-folder/compile-yaml-thread', {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })

/** Compiles the short ones of many flows. */
export interface YamlBatch {
  /** Undefined for a text that is not short: `readYamlFlow` compiles it. */
  begin(text: string): Promise<CompiledYaml> | undefined
  /** To be called once all are compiled. */
  close(): Promise<unknown>
}

/** Compiles one text after another in a thread, which the first one starts, while this one makes programs of those that are compiled. */
export function openYamlBatch(): YamlBatch {
  const asked: { readonly text: string; readonly resolve: (compiled: CompiledYaml) => void }[] = []
  let thread: Worker | undefined
  let isOver = false
  function open(): Worker {
    const opened = startCompiler()
    opened.on('message', (compiled: CompiledYaml) => asked.shift()?.resolve(compiled))
    // No short text ends a thread; a machine that has no memory left does.
    opened.once('error', () => {
      isOver = true
      for (const { text, resolve } of asked.splice(0)) resolve(compileYaml(text, []))
    })
    return opened
  }
  return {
    begin(text) {
      if (isOver || !isShort(text)) return undefined
      const compiler = thread ?? open()
      thread = compiler
      return new Promise((resolve) => {
        asked.push({ text, resolve })
        compiler.postMessage({ text, pointers: [] })
      })
    },
    close: async () => thread?.terminate(),
  }
}
