import type { Scope } from '../model/scope.ts'
import { type Placeholder, renderPlaceholder, type TextTemplate } from '../templates/text-template.ts'
import { type InferredValue, inferValue } from '../values/infer-value.ts'
import type { VariableRef, Variables } from '../values/variables.ts'
import { toIdentifier } from './identifier.ts'

/** Code with identifiers in place of its references, and the variables that they stand for. */
export interface BoundSource {
  readonly text: string
  /** Each variable once, in order of first appearance. */
  readonly variables: ReadonlyMap<string, VariableRef>
}

/**
 * Puts identifiers in place of references (docs/behaviour.md, "Code"): values never enter the text. Inline code is
 * evaluated first and its result pasted; the name of no variable is left out.
 */
export function bindSource({ parts }: TextTemplate, scope: Scope): BoundSource {
  const variables = new Map<string, VariableRef>()
  let text = ''
  for (const part of parts) {
    const added = typeof part === 'string' ? part : textOfPart(part, variables, scope)
    scope.spend(added.length)
    text += added
  }
  return { text, variables }
}

function textOfPart(part: Placeholder, variables: Map<string, VariableRef>, scope: Scope): string {
  if (part.kind === 'code') return renderPlaceholder(part, scope)
  if (!scope.variables.knows(part.ref.name)) return ''
  const identifier = nameOf(part.ref)
  variables.set(identifier, part.ref)
  return identifier
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

/** What code sees of a variable: nothing was ever written, and it is undefined; it was emptied, and it is null. */
export function readForCode(ref: VariableRef, variables: Variables): InferredValue {
  const value = variables.read(ref)
  if (value !== null) return inferValue(value)
  const [first] = ref.candidates
  const wasWritten = first ? variables.changed.has(first.id) : variables.inherited.has(ref.name)
  return wasWritten ? null : undefined
}
