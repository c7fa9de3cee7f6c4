/**
 * Default addresses of language models, by the type that blocks and accounts have. An account may name another address; a
 * block never does, since its author would receive the key.
 */
export const modelAddresses: ReadonlyMap<string, string> = new Map([
  ['openai', 'https://api.openai.com/v1'],
  ['mistral', 'https://api.mistral.ai/v1'],
  ['groq', 'https://api.groq.com/openai/v1'],
  ['deepseek', 'https://api.deepseek.com/v1'],
  ['open-router', 'https://openrouter.ai/api/v1'],
  ['together-ai', 'https://api.together.xyz/v1'],
  ['perplexity', 'https://api.perplexity.ai'],
  ['anthropic', 'https://api.anthropic.com/v1'],
])
