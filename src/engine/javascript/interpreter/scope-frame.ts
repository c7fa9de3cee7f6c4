import type { Expression } from 'acorn'
import { Failed } from '../outcome.ts'
import type { Budget, Data } from './data.ts'
import { globals } from './globals.ts'

/** Names that hold a value of their own, not an object. */
const constants: ReadonlyMap<string, Data> = new Map<string, Data>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

/** A name that code declares itself. It may not be read before its declaration has run. */
export interface Local {
  readonly isReady: boolean
  readonly value: Data
}

/** What expressions are evaluated in: the names in reach, the budget, and the interpreter itself. */
export interface ScopeFrame {
  /** The blocks around, innermost first. */
  readonly locals: readonly Map<string, Local>[]
  /** The value behind a name that stands for a variable of the flow. */
  readonly variable: (name: string) => { readonly value: Data } | undefined
  readonly budget: Budget
  readonly depth: number
  /** Evaluates an expression to what JavaScript would make of it. Every kind of node may hold every other. */
  readonly evaluate: (node: Expression, frame: ScopeFrame) => Data
}

/** Finds what a name stands for; undefined when it stands for nothing. */
export function find(name: string, { locals, variable }: ScopeFrame): { readonly value: Data } | undefined {
  for (const block of locals) {
    const local = block.get(name)
    if (local?.isReady === false) throw new Failed(`Cannot access '${name}' before initialization`)
    if (local) return local
  }
  const found = variable(name)
  if (found) return found
  if (constants.has(name)) return { value: constants.get(name) }
  const global = globals.get(name)
  return global && { value: global }
}
