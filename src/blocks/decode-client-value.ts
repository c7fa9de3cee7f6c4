import { parseJson } from './integrations/http-request/parse-json.ts'

const integer = /^-?\d+$/

/**
 * Reads what a client sends for a variable: JSON where it is some, else the text itself. An id with more digits than
 * a number holds stays text.
 */
export function decodeClientValue(text: string): unknown {
  const parsed = parseJson(text)
  if (!parsed) return text
  return integer.test(text) && !Number.isSafeInteger(parsed.value) ? text : parsed.value
}
