import { excessOfJsonText } from '../../../engine/values/json-excess.ts'

/** Levels of a JSON value that came out of a text; writing a deeper one as JSON could exhaust the stack. */
const maxDepth = 128

/** Characters of a text that takes longer to parse than others may be kept waiting. */
export const longToParse = 64 * 1024

/** Reads text as JSON; undefined when it is none, nests deeper than 128 levels, or has more in it than is read. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (excessOfJsonText(text) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isDeeperThan(value, maxDepth) ? undefined : { value }
  } catch {
    return undefined
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1))
}
