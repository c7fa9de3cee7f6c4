import type { Expression } from 'acorn'
import { type Budget, type Data, Opaque } from './data.ts'

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

/** Names that stand for a function wherever code runs. */
const functions =
  'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error ' +
  'EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int16Array Int32Array Int8Array InternalError Iterator Map Number ' +
  'Object Promise Proxy RangeError ReferenceError RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError ' +
  'URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI ' +
  'decodeURIComponent encodeURI encodeURIComponent escape eval fetch isFinite isNaN parseFloat parseInt ' +
  'setVariable unescape'

const objects = 'Intl JSON Math Reflect arguments console'

function named(kind: Opaque['kind'], names: string): [string, Opaque][] {
  return names.split(' ').map((name) => [name, new Opaque(kind, name)])
}

const globalThisObject = new Opaque('object', 'globalThis')

/** Everything that code finds around it, by name (docs/behaviour/variables.md, "Code"). */
export const globals: ReadonlyMap<string, Opaque> = new Map([
  ...named('function', functions),
  ...named('object', objects),
  ['globalThis', globalThisObject],
  ['global', globalThisObject],
  ['this', globalThisObject],
])

/** Globals that the sandbox has only for some code. */
export const sometimes: ReadonlySet<string> = new Set(['fetch', 'setVariable'])

/** Names that every object of a kind has by inheritance. Reading one needs the sandbox, unless it is called. */
export const inheritedNames = {
  string: namesOf(String.prototype, Object.prototype),
  list: namesOf(Array.prototype, Object.prototype),
  number: namesOf(Number.prototype, Object.prototype),
  boolean: namesOf(Boolean.prototype, Object.prototype),
  object: namesOf(Object.prototype),
} as const

function namesOf(...prototypes: object[]): ReadonlySet<string> {
  return new Set(prototypes.flatMap((prototype) => Object.getOwnPropertyNames(prototype)))
}
