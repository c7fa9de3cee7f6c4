import type { TextRange } from './occurrence.ts'

/** A name in `{{…}}`, and in `setVariable("…")` of code, as they stand in the text of a file. */
const patterns = [
  { isCode: false, pattern: /\{\{(?!=)([^{}\n]+)\}\}/g },
  { isCode: true, pattern: /\bsetVariable\(\s*\\?["']([^"'\\\n]+)\\?["']/g },
]

/** The variables that a text names, each with the place of its name in what is written. */
export function* variablesNamedIn(
  written: string,
  decode: (piece: string) => string,
): Generator<{ readonly name: string; readonly at: TextRange; readonly isCode: boolean }> {
  for (const { isCode, pattern } of patterns)
    for (const { index, 0: whole, 1: name = '' } of written.matchAll(pattern)) {
      const start = index + whole.indexOf(name)
      yield { isCode, name: decode(name), at: { start, end: start + name.length } }
    }
}

/** Where a placeholder that is being typed begins: behind the `{{` that is open at an offset of a line. */
export function openPlaceholder(before: string): number | undefined {
  const at = before.lastIndexOf('{{')
  return at === -1 || /[}\n"]/.test(before.slice(at)) ? undefined : at + 2
}
