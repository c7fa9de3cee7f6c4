/** The types of models whose default account is read from the environment, by what its variables begin with. */
export const modelVariables = {
  OPENAI: 'openai',
  MISTRAL: 'mistral',
  GROQ: 'groq',
  DEEPSEEK: 'deepseek',
  OPENROUTER: 'open-router',
  TOGETHER: 'together-ai',
  PERPLEXITY: 'perplexity',
  ANTHROPIC: 'anthropic',
} as const
