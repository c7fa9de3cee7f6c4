import { decodeMarkdownAddress, isSafeAddress, schemeOf } from '../../../engine/templates/url-policy.ts'
import { hasBalancedParentheses } from '../../../engine/values/parentheses.ts'

/** Characters that end a destination, or open another construct within it. */
const notRaw = /[\0-\x20\x7F<>[\]`]/g

/** The brackets of an IPv6 host, which no other spelling stands for. */
const ipv6Host = /^[a-z][a-z\d+.-]*:\/\/\[[\da-f:.]+\]/i

/**
 * An address as it stands between the parentheses of a link or a picture: nothing in it ends the destination or is
 * markup, and readers of CommonMark find the address that was meant.
 */
export function encodeDestination(address: string): string {
  const [host = ''] = ipv6Host.exec(address) ?? []
  const encoded = address
    .slice(host.length)
    .replaceAll('\\', '\\\\')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(notRaw, percentEncoded)
  return host + (hasBalancedParentheses(encoded) ? encoded : encoded.replace(/[()]/g, percentEncoded))
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Start of an address, also where text only looks so: text is never escaped. */
const opening = /\][(:]|</g

/** Blanks and the signs of a quote, which a reader passes over, and a bracket around the address. */
const blanks = /[\s>]*<?/y

/**
 * Longest text that may be a scheme in any disguise. It holds nothing that opens an address, so that no text is read
 * twice.
 */
const schemeLike = /[\w+.\-\\&#;\s\p{Cc}]*:?/uy

const address = /[^<>()\r\n]*/y

/** Characters of an address up to which it has to show what kind of data it is. */
const readLength = 512

const scripts: ReadonlySet<unknown> = new Set(['javascript', 'vbscript', 'data', 'file', 'blob'])

/** Takes away what would run when it is followed. A picture that is its own data stays. */
export function removeScriptDestinations(markdown: string): string {
  let kept = ''
  let keptUpTo = 0
  opening.lastIndex = 0
  while (opening.test(markdown)) {
    let start = endOf(blanks, markdown, opening.lastIndex)
    // The text behind a removed address may take its place.
    while (isScript(markdown, start)) {
      kept += markdown.slice(keptUpTo, start)
      keptUpTo = endOf(address, markdown, start)
      start = endOf(blanks, markdown, keptUpTo)
      opening.lastIndex = keptUpTo
    }
  }
  return kept + markdown.slice(keptUpTo)
}

function isScript(markdown: string, start: number): boolean {
  const scheme = schemeOf(decodeMarkdownAddress(markdown.slice(start, endOf(schemeLike, markdown, start))))
  if (!scripts.has(scheme)) return false
  const end = Math.min(endOf(address, markdown, start), start + readLength)
  return !isSafeAddress(decodeMarkdownAddress(markdown.slice(start, end)), 'media')
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  pattern.test(text)
  return pattern.lastIndex
}
