/**
 * Different names of members that a JSON text may have before it is parsed: each takes the parser longer than a name
 * that it has met, and from a hundred thousand on far longer.
 */
export const maxJsonKeys = 40_000

/** A name with its quotes and its colon, a value and a comma. */
const shortestMember = 5

const blanks = new Set(' \t\n\r')

/** Whether parsing a JSON text would keep others waiting, whatever it says. Parses nothing. */
export function hasTooManyKeys(text: string): boolean {
  if (text.length < shortestMember * maxJsonKeys) return false
  const keys = new Set<string>()
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfJsonString(text, start)
    if (isFollowedByColon(text, end)) keys.add(text.slice(start + 1, end))
    if (keys.size > maxJsonKeys) return true
    start = text.indexOf('"', end + 1)
  }
  return false
}

function isFollowedByColon(text: string, quote: number): boolean {
  let next = quote + 1
  while (blanks.has(text[next] as string)) next += 1
  return text[next] === ':'
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
