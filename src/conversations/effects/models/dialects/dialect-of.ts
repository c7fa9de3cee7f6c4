import type { CompletionRequest } from '../../../../engine/model/effect-payloads.ts'
import { anthropicDialect } from './anthropic-dialect.ts'
import { commonDialect } from './common-dialect.ts'
import type { ModelDialect } from './model-dialect.ts'
import { responsesDialect } from './responses-dialect.ts'

/** The dialect in which the model of a question is spoken to. */
export function dialectOf({ blockType, dialect }: CompletionRequest): ModelDialect {
  if (dialect === 'responses') return responsesDialect
  return blockType === 'anthropic' ? anthropicDialect : commonDialect
}
