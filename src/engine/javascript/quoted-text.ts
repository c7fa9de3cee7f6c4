/** A part of code, and what stands there instead. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Names in a text, and what refers to each: the pattern has the number of a name as its only group. */
export interface NamesInText {
  readonly pattern: RegExp
  readonly referenceTo: (index: string) => string
}

/** Makes edits, which are in any order and do not overlap. */
export function applyEdits(edits: readonly Edit[], code: string): string {
  let edited = ''
  let at = 0
  for (const { from, to, text } of edits.toSorted((one, other) => one.from - other.from)) {
    edited += code.slice(at, from) + text
    at = to
  }
  return edited + code.slice(at)
}

/** A text as a sum, the names in it made references. */
export function toSum(text: string, { pattern, referenceTo }: NamesInText): string {
  const parts = text.split(pattern)
  return parts.map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : referenceTo(part))).join('+')
}

/** A text between backticks, the names in it made expressions. */
export function toTemplateText(text: string, { pattern, referenceTo }: NamesInText): string {
  const parts = text.split(pattern)
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\`$]/g, '\\$&') : `\${${referenceTo(part)}}`))
    .join('')
}
