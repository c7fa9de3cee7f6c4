import type { Scope } from '../model/scope.ts'
import type { Code, Placeholder, TextTemplate } from '../model/template.ts'
import { inlineCodeText, renderInlineCode } from '../templates/text-template.ts'
import { type InferredValue, inferValue } from '../values/infer-value.ts'
import type { VariableRef, Variables } from '../values/variables.ts'
import { toIdentifier } from './identifier.ts'
import { bindQuotedWords } from './quoted-words.ts'

/** Meaning of an identifier in bound code. */
export type Binding =
  | { readonly kind: 'variable'; readonly ref: VariableRef }
  | { readonly kind: 'result'; readonly value: unknown }

/** Code with identifiers in place of its placeholders, and what they stand for. */
interface BoundSource {
  readonly text: string
  /** Each identifier once, in order of first appearance. */
  readonly bindings: ReadonlyMap<string, Binding>
}

/** The name that the result of inline code has in the code around it. */
const resultWord = (index: number) => `$inline${index}$`

/** The name of the result as text, for where it stands in quotes. */
const resultTextWord = (index: number | string) => `$inlineText${index}$`

const resultWords = { pattern: /\$inline(\d+)\$/, member: /^\$inline\d+\$$/, textOf: resultTextWord }

/** Cost of scanning code for quotes, for each of its characters. */
const scanningWeight = 4

/**
 * Puts identifiers in place of placeholders (docs/behaviour/variables.md, "Code"): neither values nor what inline code yields ever
 * enter the text. The name of no variable is left out.
 */
export function bindSource({ parts }: TextTemplate, scope: Scope): BoundSource {
  const bindings = new Map<string, Binding>()
  const results: unknown[] = []
  let text = ''
  for (const part of parts) {
    const added = typeof part === 'string' ? part : identifierFor(part, { bindings, results, scope })
    scope.spend(added.length)
    text += added
  }
  return results.length === 0 ? { text, bindings } : withResults(text, { bindings, results, scope })
}

interface Binder {
  readonly bindings: Map<string, Binding>
  readonly results: unknown[]
  readonly scope: Scope
}

function identifierFor(part: Placeholder, { bindings, results, scope }: Binder): string {
  if (part.kind === 'code') {
    const index = results.push(resultOf(part.code, scope)) - 1
    return resultWord(index)
  }
  if (!scope.variables.knows(part.ref.name)) return ''
  const identifier = nameOf(part.ref)
  bindings.set(identifier, { kind: 'variable', ref: part.ref })
  return identifier
}

/** Result for the surrounding code: a text that looks like a number is one, as the value of a variable would be. */
function resultOf(code: Code, scope: Scope): unknown {
  const result = renderInlineCode(code, scope, (value) => value)
  return typeof result === 'string' ? inferValue(result) : result
}

function withResults(source: string, { bindings, results, scope }: Binder): BoundSource {
  scope.spend(scanningWeight * source.length)
  const text = bindQuotedWords(source, resultWords)
  const bind = (identifier: string, value: unknown) => {
    if (text.includes(identifier)) bindings.set(identifier, { kind: 'result', value })
  }
  results.forEach((result, index) => {
    const shown = inlineCodeText(result)
    scope.spend(shown.length + text.length)
    bind(resultWord(index), result)
    bind(resultTextWord(index), shown)
  })
  return { text, bindings }
}

/** Value of an identifier for code. */
export function readBinding(binding: Binding, variables: Variables): unknown {
  return binding.kind === 'result' ? binding.value : readForCode(binding.ref, variables)
}

/** The text of code as it is whenever it runs; undefined when inline code takes part in it. */
export function placeholderlessText({ parts }: TextTemplate): string | undefined {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else if (part.kind === 'code') return undefined
    else if (part.ref.candidates.length > 0) text += nameOf(part.ref)
  }
  return text
}

/** A variable that a linked flow left behind has no id: its name stands in. */
function nameOf({ candidates: [first], name }: VariableRef): string {
  return first ? toIdentifier(first.id) : toIdentifier(`{${name}`)
}

/**
 * Value of a variable for code: undefined if it was never written or declared; null if it was emptied, or declared with
 * null.
 */
export function readForCode(ref: VariableRef, variables: Variables): InferredValue {
  const value = variables.read(ref)
  // Only a declared value can be an empty text.
  if (value === '') return 0
  if (value !== null) return inferValue(value)
  const [first] = ref.candidates
  if (first?.isInitialised) return null
  const wasWritten = first ? variables.changed.has(first.id) : variables.inherited.has(ref.name)
  return wasWritten ? null : undefined
}
