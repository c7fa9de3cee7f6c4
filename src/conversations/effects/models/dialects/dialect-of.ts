import type { CompletionRequest } from '../../../../engine/model/effect-payloads.ts'
import { anthropicDialect } from './anthropic-dialect.ts'
import { CompletionAccumulator } from './completion-accumulator.ts'
import type { ModelDialect } from './model-dialect.ts'
import { responsesDialect } from './responses-dialect.ts'

/** Servers that return usage in any case, and refuse a request for it. */
const tellingUsage = new Set(['mistral'])

/** The format of `POST /chat/completions`, which most servers share. */
const commonDialect: ModelDialect = {
  path: '/chat/completions',
  headersOf: (apiKey) => [['authorization', `Bearer ${apiKey}`]],
  write({ blockType, body }, isStreamed) {
    if (!isStreamed) return body
    const usage = tellingUsage.has(blockType) ? {} : { stream_options: { include_usage: true } }
    return { ...body, stream: true, ...usage }
  },
  read: (body) => body,
  createAccumulator: () => new CompletionAccumulator(),
  errorIn: (chunk) => (Object(chunk) as { error?: unknown }).error ?? undefined,
}

/** The dialect in which the model of a question is spoken to. */
export function dialectOf({ blockType, dialect }: CompletionRequest): ModelDialect {
  if (dialect === 'responses') return responsesDialect
  return blockType === 'anthropic' ? anthropicDialect : commonDialect
}
