import { notAvailableBlock } from '../not-available.ts'

/** Passes over the AI block of older flows. */
export const legacyOpenAi = notAvailableBlock(['OpenAI'])
