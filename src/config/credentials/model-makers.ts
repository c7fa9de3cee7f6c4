/**
 * Makers of language models by what the variables of their default accounts begin with: the type that blocks and accounts have, and
 * the address. An account may name another; a block never does, since its author would receive the key.
 */
export const modelMakers = {
  OPENAI: { type: 'openai', baseUrl: 'https://api.openai.com/v1' },
  MISTRAL: { type: 'mistral', baseUrl: 'https://api.mistral.ai/v1' },
  GROQ: { type: 'groq', baseUrl: 'https://api.groq.com/openai/v1' },
  DEEPSEEK: { type: 'deepseek', baseUrl: 'https://api.deepseek.com/v1' },
  OPENROUTER: { type: 'open-router', baseUrl: 'https://openrouter.ai/api/v1' },
  TOGETHER: { type: 'together-ai', baseUrl: 'https://api.together.xyz/v1' },
  PERPLEXITY: { type: 'perplexity', baseUrl: 'https://api.perplexity.ai' },
  ANTHROPIC: { type: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
} as const

/** Default addresses by types. */
export const modelAddresses: ReadonlyMap<string, string> = new Map(
  Object.values(modelMakers).map(({ type, baseUrl }) => [type, baseUrl]),
)
