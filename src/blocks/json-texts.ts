import { endOfJsonString, excessOfJsonText } from '../engine/values/json-excess.ts'

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

/**
 * Reads the text of a response as JSON; undefined when it is none, or nests deeper than 128 levels. An integer that
 * a number can't hold becomes its text: ids of other systems have nineteen digits.
 */
export function parseExactJson(text: string): { readonly value: unknown } | undefined {
  const exact = quoteLongIntegers(text)
  if (exact === undefined) return undefined
  try {
    return { value: JSON.parse(exact) as unknown }
  } catch {
    return undefined
  }
}

/** The text of JSON without blanks, when reading it as numbers would change an integer in it; else undefined. */
export function exactTextOf(json: string): string | undefined {
  return quoteLongIntegers(json) === json ? undefined : withoutBlanks(json)
}

/** Undefined for what nests too deeply. Looks at every character once, since servers send megabytes. */
function quoteLongIntegers(text: string): string | undefined {
  let exact = ''
  let keptTo = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfJsonString(text, at)
    else if ((character | isObject) === (open | isObject)) {
      depth += 1
      if (depth > maxDepth) return undefined
    } else if ((character | isObject) === (close | isObject)) depth -= 1
    else if (isDigit(character) || character === minus) {
      const end = endOfNumber(text, at)
      if (end - at >= shortestLong && isLongInteger(text.slice(at, end))) {
        exact += `${text.slice(keptTo, at)}"${text.slice(at, end)}"`
        keptTo = end
      }
      at = end - 1
    }
  }
  return exact + text.slice(keptTo)
}

const quote = 0x22
const minus = 0x2d
/** `[` and `{`, `]` and `}` are the same but for this bit. */
const isObject = 0x20
const open = 0x5b
const close = 0x5d

const isDigit = (character: number) => character >= 0x30 && character <= 0x39

/** Any other character that a number can have, wherever it stands: what is no number there is no JSON either. */
const restOfNumbers = new Set('-+.eE')

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (isDigit(text.charCodeAt(end)) || restOfNumbers.has(text[end] as string)) end += 1
  return end
}

/** All integers with fewer digits are safe. */
const shortestLong = 16

const integer = /^-?(?:0|[1-9]\d*)$/

function isLongInteger(text: string): boolean {
  return integer.test(text) && !Number.isSafeInteger(Number(text))
}

const blanks = new Set(' \t\n\r')

function withoutBlanks(json: string): string {
  let kept = ''
  let keptTo = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at] as string
    if (character === '"') at = endOfJsonString(json, at)
    else if (blanks.has(character)) {
      kept += json.slice(keptTo, at)
      keptTo = at + 1
    }
  }
  return kept + json.slice(keptTo)
}

/**
 * Reads what a client sends for a variable: JSON where it is some, else the text itself. An id with more digits than
 * a number holds stays text.
 */
export function decodeClientValue(text: string): unknown {
  const parsed = parseJson(text)
  return !parsed || isLongInteger(text) ? text : parsed.value
}
