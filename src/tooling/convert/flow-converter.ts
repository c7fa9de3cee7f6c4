import type { ConvertFlowBody } from '../../../schemas/convert-flow.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { invalidInput, tooManyHeavy } from '../../lib/errors.ts'
import { createThreads } from '../../lib/threads/ask-thread.ts'

export type FlowConverter = ReturnType<typeof createFlowConverter>

/** Writes flows that requests send in their other form, each in a thread of its own. `limitMs` is the time for one. */
export function createFlowConverter({ limitMs = 5000 } = {}) {
  const ask = createThreads<ConvertFlowBody, ByteString>({
    module: 'tooling/convert/convert-thread',
    task: 'convert',
    limitMs,
    threads: 2,
    memoryMb: 256,
  })
  return {
    /** Converts a text to the JSON of an answer (docs/api.md 4.34). Throws `ServiceError` for one that takes too much. */
    async convert(body: ConvertFlowBody): Promise<ByteString> {
      const converted = await ask(body)
      if (converted === undefined) throw tooManyHeavy()
      if (typeof converted === 'string') return converted
      throw invalidInput([{ pointer: '/source', message: converted.refusal }])
    },
  }
}
