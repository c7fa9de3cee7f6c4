import { ServiceError } from '../lib/errors.ts'
import { noJsonProblem } from './json-mistake.ts'

/** Reads the text of a definition. Throws BAD_REQUEST with the place of the mistake, and nothing of the text. */
export function parseDefinition(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const problems = [noJsonProblem(text)]
    throw new ServiceError('BAD_REQUEST', 'The definition is not valid JSON', { problems })
  }
}
