import { evaluate } from '../code.ts'
import type { Scope } from '../scope.ts'
import { type Placeholder, type TextTemplate, textOfResult } from '../text-template.ts'
import { textOf } from '../value.ts'
import { type Doubt, doubtOf } from './beyond.ts'
import { readForCode } from './bound-source.ts'
import type { Data } from './data.ts'
import { type Evaluated, Failed, NeedsSandbox } from './outcome.ts'
import { type Parsed, parse } from './parse.ts'
import { bindQuoted, type Reference, referenceOf, wordFor } from './quoted-references.ts'
import { run } from './run.ts'

/** An expression that reads a part of a response. */
export interface BodyPath {
  readonly source: string
  readonly parsed: Parsed
  readonly placeholders: readonly Placeholder[]
}

/** Prepares the path of a response mapping. Its text never changes: values come in beside it. */
export function compileBodyPath(source: string, { parts }: TextTemplate): BodyPath {
  const placeholders: Placeholder[] = []
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : wordFor(placeholders.push(part) - 1)
  // The line breaks keep a comment at the end, or a blank line at the start, from changing what is returned.
  const parsed = parse(`return (\n${text}\n)`, { isAsync: false })
  if (parsed.program) bindQuoted(parsed.program)
  return { source, parsed, placeholders }
}

/** What the author of a path should know before it ever runs. */
export const doubtAboutPath = ({ parsed }: BodyPath): Doubt | undefined => doubtOf(parsed)

/**
 * Evaluates a path over the parts of a response (docs/behaviour.md, "Response mapping"). The value of a placeholder
 * is data like the response itself, whatever it looks like.
 */
export function evaluateBodyPath(
  { parsed: { program, failure }, placeholders }: BodyPath,
  given: ReadonlyMap<string, unknown>,
  scope: Scope,
): Evaluated {
  if (failure) return failure
  const variable = (name: string) => {
    const reference = referenceOf(name)
    const placeholder = reference && placeholders[reference.index]
    if (reference && placeholder) return { value: read(placeholder, reference, scope) }
    return given.has(name) ? { value: given.get(name) as Data } : undefined
  }
  return run(program, { variable, budget: scope })
}

function read(placeholder: Placeholder, { isText }: Reference, scope: Scope): Data {
  if (placeholder.kind === 'code') {
    const evaluated = evaluate(placeholder.code, scope)
    if (evaluated.ok) return isText ? textOfResult(evaluated.value) : (evaluated.value as Data)
    throw evaluated.needsSandbox ? new NeedsSandbox(evaluated.message) : new Failed(evaluated.message)
  }
  const { ref } = placeholder
  if (!scope.variables.knows(ref.name)) throw new Failed(`There is no variable "${ref.name}"`)
  return isText ? textOf(scope.variables.read(ref)) : readForCode(ref, scope.variables)
}
