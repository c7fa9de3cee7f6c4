import type { Program } from 'acorn'
import type { CodeJob, CodeResult } from '../model/effect-payloads.ts'
import { Memo } from '../model/footprint.ts'
import type { Scope } from '../model/scope.ts'
import type { Code } from '../model/template.ts'
import { toValue, valueLength } from '../values/value.ts'
import type { VariableDeclaration, VariableTable } from '../values/variables.ts'
import { type Binding, bindSource, placeholderlessText, readBinding } from './bind-variables.ts'
import { toIdentifier } from './identifier.ts'
import type { Data } from './interpreter/data.ts'
import { createFuel, runProgram, type World } from './interpreter/run.ts'
import type { CodeOutcome } from './outcome.ts'
import { functionBody, isInvalidCode } from './parse.ts'
import { mayFetch, toOutcome } from './sandbox-job.ts'

export type { CodeOutcome } from './outcome.ts'

/** Results of code without references, which are the same each time: a number, a word, a sentence. */
const settled = new Memo<Code, CodeOutcome>(bytesOfResult)

/** A result that is longer is computed anew each time: a few characters of code can make megabytes. */
const longestSettled = 4_096

function bytesOfResult(evaluated: CodeOutcome): number {
  return 64 + 2 * (evaluated.ok ? lengthOfPlain(evaluated.value) : evaluated.message.length)
}

/** Code that waits for the sandbox. */
export interface WaitingCode {
  readonly job: CodeJob
  /** Maps the sandbox's result to the outcome of the code. */
  conclude(result: CodeResult): CodeOutcome
}

/** Completes a scope with what evaluates the code in its texts, as far as that takes no sandbox. */
export function createScope<Base extends Omit<Scope, 'evaluate'>>(base: Base): Base & Scope {
  const scope: Base & Scope = { ...base, evaluate: (code) => evaluate(code, scope) }
  return scope
}

/** Evaluates code where there is no sandbox: what goes beyond the interpreter is not run. */
export function evaluate(code: Code, scope: Scope): CodeOutcome {
  const begun = beginEvaluation(code, scope)
  return 'job' in begun ? notRun : begun
}

const notRun: CodeOutcome = Object.freeze({ ok: false, message: 'The code was not run', needsSandbox: true })

/**
 * Evaluates code (docs/behaviour/variables.md, "Code") by walking its syntax tree; what goes beyond that is left to the
 * sandbox. It reaches nothing but the values of variables.
 */
export function beginEvaluation(code: Code, scope: Scope): CodeOutcome | WaitingCode {
  const known = settled.get(code)
  if (known) return known
  const { text, bindings } = bindSource(code.template, scope)
  const { program, failure } = code.parse(text, scope)
  const variable = (name: string) => {
    const binding = bindings.get(name) ?? reachable(code, name, scope)
    return binding && { value: readBinding(binding, scope.variables) as Data }
  }
  const evaluated = failure ?? markWords(interpret(program, variable, scope), text)
  if (evaluated.ok || !evaluated.needsSandbox) {
    if (isSettled(code, evaluated)) settled.keep(code, evaluated, code.footprint)
    return evaluated
  }
  const named = [...bindings, ...mentioned(code, text, scope)]
  const globals = named.map(([name, binding]) => [name, readBinding(binding, scope.variables)] as const)
  // They are copied on their way.
  for (const [, value] of globals) scope.spend(valueLength(toValue(value)))
  const { isAsync } = code
  const body = functionBody(text)
  const job = { body, isAsync, globals, mayAssign: isAsync, mayFetch: isAsync && mayFetch(text) }
  return { job, conclude: (result) => concludeFrom(result, text) }
}

function interpret(program: Program, variable: World['variable'], scope: Scope): CodeOutcome {
  const budget = createFuel(scope)
  return runProgram(program, { variable, budget, resultBudget: budget })
}

function concludeFrom(result: CodeResult, text: string): CodeOutcome {
  const outcome = toOutcome(result)
  const hasThrown = !outcome.ok && !outcome.needsSandbox
  return hasThrown && wordsOnly.test(text) ? markWords({ ...outcome, mayBeWords: true }, text) : outcome
}

/** Whether the result of the code is final: it is the same in every turn. */
export const isEvaluatedForGood = (code: Code): boolean => settled.get(code) !== undefined

/** A `return` of its own makes code of what is JavaScript at all. */
function markWords(evaluated: CodeOutcome, text: string): CodeOutcome {
  if (evaluated.ok || !evaluated.mayBeWords || !text.includes('return ')) return evaluated
  return { ...evaluated, mayBeWords: false }
}

/** Words may be code for the sandbox, such as `new message`. */
const wordsOnly = /^[\p{L}\p{M}\p{N}\s.,;:!?'"-]*$/u

/** A list or an object is made anew each time: its receiver might change it. */
function isSettled({ template, reaches }: Code, evaluated: CodeOutcome): boolean {
  const refersToNothing = template.constant !== undefined && reaches === 'its references'
  if (!refersToNothing || !evaluated.ok) return refersToNothing
  return typeof evaluated.value !== 'object' && lengthOfPlain(evaluated.value) <= longestSettled
}

const lengthOfPlain = (value: unknown) => (typeof value === 'string' ? value.length : 8)

/** The variables that inline code may mean by their ids, other than those that it refers to. */
function mentioned({ reaches }: Code, text: string, scope: Scope): Iterable<[string, Binding]> {
  if (reaches !== 'all variables') return []
  scope.spend(text.length)
  const all = declarationsOf(scope)
  const found = new Map<string, Binding>()
  for (const [word] of text.matchAll(words)) {
    const declaration = all.get(word)
    if (declaration) found.set(word, bindingOf(declaration))
  }
  return found
}

/** Possible identifiers, at any place: code can also be a text that is evaluated. */
const words = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/gu

/** The variables of each flow by their identifiers, since a flow may have many, and many pieces of code. */
const declarations = new Memo<VariableTable, ReadonlyMap<string, VariableDeclaration>>(
  (all) => bytesPerDeclaration * all.size,
)

/** A slot of a table, and an identifier that differs from the id. */
const bytesPerDeclaration = 120

function declarationsOf({ variables: { table }, spend }: Scope): ReadonlyMap<string, VariableDeclaration> {
  const known = declarations.get(table)
  if (known) return known
  spend(table.all.length)
  const all = new Map(table.all.map((declaration) => [toIdentifier(declaration.id), declaration]))
  declarations.keep(table, all, table.footprint)
  return all
}

function reachable({ reaches }: Code, id: string, { variables: { table } }: Scope): Binding | undefined {
  const declaration = reaches === 'all variables' ? table.byId(id) : undefined
  return declaration && bindingOf(declaration)
}

const bindingOf = (declaration: VariableDeclaration): Binding => ({
  kind: 'variable',
  ref: { name: declaration.name, candidates: [declaration] },
})

/**
 * Whether code is none, for a finding to its author: it parses without a budget. Nothing is said of code that depends
 * on inline code inside it.
 */
export function isCertainlyInvalid(code: Code): boolean {
  const text = placeholderlessText(code.template)
  return text !== undefined && isInvalidCode(code.parse(text, { spend: () => {} }))
}
