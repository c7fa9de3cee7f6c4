const controls = /[^\P{Cc}\n\t]/gu

/**
 * A text as a terminal may be given it: what a flow, a file or another system says could else clear it, colour it, or
 * answer for the operator. Control characters stand as JSON writes them, so that JSON stays the same; line ends and tabs stay.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A text that is a part of a line, and can't begin one of its own: neither a forged one nor a command of a CI. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/^ *(?=::|##\[)/, '> ')
}

/** Writes a line, whatever stands in it. */
export function say(write: (text: string) => void, line: string): void {
  write(`${oneLine(line)}\n`)
}

/** A number with what it counts: `1 file`, `2 files`. */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** A text as an attribute or an element holds it. XML has no place for other control characters, nor for halves of a pair. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? character)
}
