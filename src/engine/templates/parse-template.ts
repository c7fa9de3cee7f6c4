import { createInlineCode } from '../javascript/create-code.ts'
import type { Footprint } from '../model/footprint.ts'
import { type Code, noCodes, type Placeholder, type TextTemplate } from '../model/template.ts'
import type { VariableTable } from '../values/variables.ts'

const open = '{{'
const codeOpen = '{{='
const codeClose = '=}}'
/** No author writes as many: what follows them stays as it is, instead of taking a hundred bytes for each. */
const mostPlaceholders = 10_000

const name = /[^{}]+/y

/**
 * Cuts a text at its placeholders (docs/behaviour/variables.md, "Placeholders"): `{{Name}}`, and `{{= code =}}` on one
 * line.
 *
 * Every character is looked at a bounded number of times in any text: drafts are untrusted. The memory of the code in
 * it is added to `footprint`; there is none for a template that is thrown away.
 */
export function parseTemplate(text: string, variables: VariableTable, footprint?: Footprint): TextTemplate {
  const parts = text.includes(open) ? cut(text, { variables, footprint }) : [text]
  const [first] = parts
  if (parts.length === 0) return { parts, constant: '', lone: undefined, codes: noCodes }
  const codes = codesOf(parts)
  if (parts.length > 1 || first === undefined) return { parts, constant: undefined, lone: undefined, codes }
  return typeof first === 'string'
    ? { parts, constant: first, lone: undefined, codes }
    : { parts, constant: undefined, lone: first, codes }
}

function codesOf(parts: TextTemplate['parts']): readonly Code[] {
  let codes: Code[] | undefined
  for (const part of parts) {
    if (typeof part === 'string' || part.kind !== 'code') continue
    codes ??= []
    codes.push(...part.code.template.codes, part.code)
  }
  return codes ?? noCodes
}

interface Compilation {
  readonly variables: VariableTable
  readonly footprint: Footprint | undefined
}

function cut(text: string, compilation: Compilation): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  const codeEnds = new NextOccurrence(text, codeClose)
  const lineEnds = new NextOccurrence(text, '\n')
  let literalFrom = 0
  let at = text.indexOf(open)
  for (let placeholders = 0; at !== -1 && placeholders < mostPlaceholders; ) {
    const found = codeAt(text, at, { codeEnds, lineEnds }, compilation) ?? refAt(text, at, compilation)
    if (found) {
      placeholders += 1
      if (at > literalFrom) parts.push(text.slice(literalFrom, at))
      parts.push(found.placeholder)
      literalFrom = found.end
    }
    at = text.indexOf(open, found ? found.end : at + 1)
  }
  if (literalFrom < text.length) parts.push(text.slice(literalFrom))
  return parts
}

interface PlaceholderMatch {
  readonly placeholder: Placeholder
  readonly end: number
}

function codeAt(
  text: string,
  at: number,
  { codeEnds, lineEnds }: { codeEnds: NextOccurrence; lineEnds: NextOccurrence },
  { variables, footprint }: Compilation,
): PlaceholderMatch | undefined {
  if (!text.startsWith(codeOpen, at)) return undefined
  const from = at + codeOpen.length
  // Code is at least one character long.
  const to = codeEnds.from(from + 1)
  if (to === -1) return undefined
  const lineEnd = lineEnds.from(from)
  if (lineEnd !== -1 && lineEnd < to) return undefined
  const source = text.slice(from, to)
  const code = createInlineCode(source, parseTemplate(source, variables, footprint), footprint)
  return { placeholder: { kind: 'code', code }, end: to + codeClose.length }
}

function refAt(text: string, at: number, { variables }: Compilation): PlaceholderMatch | undefined {
  name.lastIndex = at + open.length
  const match = name.exec(text)
  if (!match || !text.startsWith('}}', name.lastIndex)) return undefined
  return {
    placeholder: { kind: 'variable', ref: variables.byName(match[0]) },
    end: name.lastIndex + 2,
  }
}

/** `indexOf` for a position that only grows: a search that found nothing is never repeated. */
class NextOccurrence {
  readonly #text: string
  readonly #wanted: string
  #found = 0

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
    this.#found = text.indexOf(wanted)
  }

  from(position: number): number {
    if (this.#found !== -1 && this.#found < position) this.#found = this.#text.indexOf(this.#wanted, position)
    return this.#found
  }
}
