import { excessOfJson, type JsonBounds } from '../../json-bounds.ts'

/** What a text may hold that is parsed beside requests: a response, or what a model answers. */
export const mostInJson: JsonBounds = {
  values: Number.POSITIVE_INFINITY,
  keys: 40_000,
  shapes: 2_500,
  containers: 40_000,
  levels: Number.POSITIVE_INFINITY,
}

const excesses: Record<keyof JsonBounds, string> = {
  values: 'values',
  keys: 'different keys',
  shapes: 'different orders of keys',
  containers: 'objects and lists',
  levels: 'levels',
}

const encoder = new TextEncoder()

/** What a JSON text has so much of that parsing it would keep others waiting, whatever it says. Parses nothing. */
export function excessOfJsonText(text: string): string | undefined {
  const excess = text.length > 2 * mostInJson.shapes && excessOfJson(encoder.encode(text), mostInJson)
  return excess ? `more than ${mostInJson[excess]} ${excesses[excess]}` : undefined
}

/** Where the closing quote is; the end of a text that lacks one, which is no JSON anyway. */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
