import { ServiceError } from '../lib/errors.ts'

/** Reads the text of a definition. Throws BAD_REQUEST with the line of the mistake, and nothing of the text. */
export function parseDefinition(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const problem = { pointer: '', message: `is not valid JSON${placeOf(String(error), text)}` }
    throw new ServiceError('BAD_REQUEST', 'The definition is not valid JSON', { problems: [problem] })
  }
}

/** The message of the parser has a position, or quotes the text around it. */
function placeOf(complaint: string, text: string): string {
  const [, position] = /at position (\d+)/.exec(complaint) ?? []
  const [, quoted] = /, (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(complaint) ?? []
  const offset = Number(position ?? (quoted === undefined ? text.length : text.indexOf(quoted)))
  return offset < 0 ? '' : ` (about line ${text.slice(0, offset).split('\n').length})`
}
