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
