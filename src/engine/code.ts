import { type Doubt, doubtOf } from './code/beyond.ts'
import { bindSource, readForCode, staticTextOf } from './code/bound-source.ts'
import type { Evaluated } from './code/outcome.ts'
import { type Parsed, parse } from './code/parse.ts'
import { run } from './code/run.ts'
import { compileText } from './compile-text.ts'
import type { Scope } from './scope.ts'
import { renderText, type TextTemplate } from './text-template.ts'
import type { VariableRef, VariableTable } from './variables.ts'

export type { Evaluated } from './code/outcome.ts'

/** JavaScript of a flow that the service evaluates, cut at its references. */
export interface Code {
  readonly source: string
  readonly template: TextTemplate
  /** Inline code reaches every variable by its id, an expression only those that it refers to. */
  readonly reaches: 'all variables' | 'its references'
  /** Parses the code with identifiers in place of its references. Remembers the last. */
  readonly parse: (text: string, budget: Pick<Scope, 'spend'>) => Parsed
}

/** What parsing costs, in characters copied: for the code, and for each of its characters. */
const parsingWeight = { once: 64, eachCharacter: 4 }

/** Prepares the code of a `{{= code =}}`: a function body, with a `return` added where it has none. */
export function compileInlineCode(source: string, variables: VariableTable): Code {
  const template = compileText(source, variables)
  return { source, template, reaches: 'all variables', parse: rememberLast({ isAsync: false }) }
}

/** Prepares the expression of a block: as inline code, and it may await. */
export function compileExpression(source: string, template: TextTemplate): Code {
  return { source, template, reaches: 'its references', parse: rememberLast({ isAsync: true }) }
}

function rememberLast(options: { isAsync: boolean }): Code['parse'] {
  let last: { readonly text: string; readonly parsed: Parsed } | undefined
  return (text, budget) => {
    if (last?.text === text) return last.parsed
    budget.spend(parsingWeight.once + parsingWeight.eachCharacter * text.length)
    last = { text, parsed: parse(text, options) }
    return last.parsed
  }
}

/**
 * Evaluates code by walking its syntax tree (docs/behaviour.md, "Code"): what it does is what JavaScript would do,
 * or it is told that only a sandbox could say. It reaches nothing but the values of variables.
 */
export function evaluate(code: Code, scope: Scope): Evaluated {
  const { text, variables } = bindSource(code.template, scope)
  const { program, failure } = code.parse(text, scope)
  if (failure) return failure
  const variable = (name: string) => {
    const ref = variables.get(name) ?? reachable(code, name, scope)
    return ref && { value: readForCode(ref, scope.variables) }
  }
  return run(program, { variable, budget: scope })
}

function reachable({ reaches }: Code, id: string, { variables: { table } }: Scope): VariableRef | undefined {
  const declaration = reaches === 'all variables' ? table.byId(id) : undefined
  return declaration && { name: declaration.name, candidates: [declaration] }
}

/**
 * What the author of code should know before it ever runs: that it is no code, or that it goes beyond what is
 * evaluated here. Nothing is said of code that depends on inline code inside it.
 */
export function doubtAbout(code: Code): Doubt | undefined {
  const text = staticTextOf(code.template)
  return text === undefined ? undefined : doubtOf(code.parse(text, { spend: () => {} }))
}

/** The text that stands in for code that failed: its source, with values in place of references. */
export function renderCodeSource(code: Code, scope: Scope): string {
  return renderText(code.template, scope)
}
