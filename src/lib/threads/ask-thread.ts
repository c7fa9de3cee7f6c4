import { startThread, type ThreadModule } from './start-thread.ts'

interface ThreadOptions {
  readonly module: ThreadModule
  /** Verb of a question, which a refusal ends with. */
  readonly task: string
  /** Milliseconds for one question. */
  readonly limitMs: number
  /** Questions that are answered at the same time. */
  readonly threads: number
  /** Mebibytes that one of them may take. */
  readonly memoryMb: number
}

/** The first message of a thread that is asked: the time for its answer begins once its code is there. */
export const ready = 'ready'

/**
 * Answers each question in a thread of its own, which ends with it: no request waits for what takes long. Gives undefined
 * while too many are being answered.
 */
export function createThreads<Question, Answer>({ module, task, limitMs, threads, memoryMb }: ThreadOptions) {
  let running = 0
  return async (question: Question): Promise<Answer | { readonly refusal: string } | undefined> => {
    if (running >= threads) return undefined
    running += 1
    const thread = startThread(module, { env: {}, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve) => {
        const refuse = (reason: string) => resolve({ refusal: `takes ${reason} to ${task}` })
        thread.on('message', (message: typeof ready | Answer) => {
          if (message !== ready) return resolve(message)
          timer = setTimeout(() => refuse(`longer than ${limitMs} ms`), limitMs)
          thread.postMessage(question)
        })
        thread.once('error', () => refuse('too much memory'))
      })
    } finally {
      clearTimeout(timer)
      await thread.terminate()
      running -= 1
    }
  }
}
