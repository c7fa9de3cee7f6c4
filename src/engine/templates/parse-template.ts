import { createInlineCode } from '../javascript/create-code.ts'
import type { Footprint } from '../model/footprint.ts'
import { type Code, noCodes, type Placeholder, type TextTemplate } from '../model/template.ts'
import type { VariableTable } from '../values/variables.ts'

const open = '{{'
const codeOpen = '{{='
const codeClose = '=}}'
/** No author writes as many: what follows them stays as it is, instead of taking a hundred bytes for each. */
const mostPlaceholders = 10_000
/** The same for braces that open nothing, at each of which the end has to be looked for. */
const mostOpenings = 100_000

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
  let literalFrom = 0
  for (const found of placeholdersIn(text)) {
    if (found.from > literalFrom) parts.push(text.slice(literalFrom, found.from))
    parts.push(compile(found, compilation))
    literalFrom = found.to
  }
  if (literalFrom < text.length) parts.push(text.slice(literalFrom))
  return parts
}

function compile({ kind, inside }: Occurrence, { variables, footprint }: Compilation): Placeholder {
  return kind === 'code'
    ? { kind, code: createInlineCode(inside, parseTemplate(inside, variables, footprint), footprint) }
    : { kind, ref: variables.byName(inside) }
}

/** A placeholder in a text. */
interface Occurrence {
  readonly kind: Placeholder['kind']
  /** The code, or the name. */
  readonly inside: string
  readonly from: number
  readonly to: number
}

/** The placeholders of a text, in order, in time that grows with its length only. */
export function* placeholdersIn(text: string): Generator<Occurrence, void> {
  const codeEnds = new NextOccurrence(text, codeClose)
  const lineEnds = new NextOccurrence(text, '\n')
  let placeholders = 0
  let at = text.indexOf(open)
  for (let openings = 0; at !== -1 && openings < mostOpenings; openings++) {
    const found = codeAt(text, at, { codeEnds, lineEnds }) ?? nameAt(text, at)
    if (found) yield found
    if (found && ++placeholders === mostPlaceholders) return
    at = text.indexOf(open, found ? found.to : at + 1)
  }
}

function codeAt(
  text: string,
  at: number,
  { codeEnds, lineEnds }: { readonly codeEnds: NextOccurrence; readonly lineEnds: NextOccurrence },
): Occurrence | undefined {
  if (!text.startsWith(codeOpen, at)) return undefined
  const from = at + codeOpen.length
  // Code is at least one character long.
  const to = codeEnds.from(from + 1)
  if (to === -1) return undefined
  const lineEnd = lineEnds.from(from)
  if (lineEnd !== -1 && lineEnd < to) return undefined
  return { kind: 'code', inside: text.slice(from, to), from: at, to: to + codeClose.length }
}

function nameAt(text: string, at: number): Occurrence | undefined {
  name.lastIndex = at + open.length
  const match = name.exec(text)
  if (!match || !text.startsWith('}}', name.lastIndex)) return undefined
  return { kind: 'variable', inside: match[0], from: at, to: name.lastIndex + 2 }
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
