import type { Expression } from 'acorn'
import type { Budget, Data } from './data.ts'
import { globals } from './globals.ts'

/** Names that hold a value of their own, not an object. */
const constants: ReadonlyMap<string, Data> = new Map<string, Data>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

/** Context of evaluation: the names in reach, the budget, and the interpreter itself. */
export interface ScopeFrame {
  /** The value behind a name that stands for a variable of the flow. */
  readonly variable: (name: string) => { readonly value: Data } | undefined
  readonly budget: Budget
  /** Evaluates an expression to what JavaScript would make of it. Every kind of node may hold every other. */
  readonly evaluate: (node: Expression, frame: ScopeFrame) => Data
}

/** Finds what a name stands for; undefined when it stands for nothing. */
export function find(name: string, { variable }: ScopeFrame): { readonly value: Data } | undefined {
  const found = variable(name)
  if (found) return found
  if (constants.has(name)) return { value: constants.get(name) }
  const global = globals.get(name)
  return global && { value: global }
}
