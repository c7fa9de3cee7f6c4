import { excessOfJson, type JsonBounds } from '../../lib/json-bounds.ts'

/** Bounds of a text that is parsed beside requests: a response, or the answer of a model. */
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

/** The bound that a JSON text exceeds, so that parsing it would block other requests. Parses nothing. */
export function excessOfJsonText(text: string): string | undefined {
  const excess = text.length > 2 * mostInJson.shapes && excessOfJson(encoder.encode(text), mostInJson)
  return excess ? `more than ${mostInJson[excess]} ${excesses[excess]}` : undefined
}

/** Index of the closing quote; the end of a text without one, which is invalid JSON anyway. */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
