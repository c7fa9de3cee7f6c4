import { CodeError, NeedsSandboxError } from '../outcome.ts'

/** A function, or an object of the language, that is only named here: any use of it needs the sandbox. */
export class Opaque {
  readonly kind: 'function' | 'object'
  readonly name: string

  constructor(kind: Opaque['kind'], name: string) {
    this.kind = kind
    this.name = name
  }
}

export type Primitive = undefined | null | boolean | number | string

/** An object of the code itself: it has no prototype, so that nothing of the service can be reached through it. */
export interface DataObject {
  [key: string]: Data
}

/** Everything that interpreted code can hold. Nothing in it is ever changed. */
export type Data = Primitive | readonly Data[] | DataObject | Opaque

/** Budget for work and growth. */
export interface Budget {
  spend(characters: number): void
}

/**
 * Costs besides the characters that are read or made: each visit of a node of code, and of a list, object, element or
 * property.
 */
export const weight = { visit: 4 }

/** Lists in lists, objects in objects: what nests deeper is left to the sandbox. */
const maxDepth = 128

/** Counts what an operation reads, compares or makes, before it does. */
export function charge(budget: Budget, amount: number): void {
  budget.spend(Math.ceil(amount))
}

export const isList = (data: Data): data is readonly Data[] => Array.isArray(data)

export const isPrimitive = (data: Data): data is Primitive => typeof data !== 'object' || data === null

/** ECMAScript's ToPrimitive. */
export function toPrimitive(data: Data, budget: Budget): Primitive {
  return isPrimitive(data) ? data : textOfObject(data, budget, 0)
}

/** ECMAScript's ToString. */
export function toText(data: Data, budget: Budget): string {
  return String(toPrimitive(data, budget))
}

/** ECMAScript's ToNumber. */
export function toNumber(data: Data, budget: Budget): number {
  const primitive = toPrimitive(data, budget)
  chargeNumberReading(budget, primitive)
  return Number(primitive)
}

/** Charges for reading a number from a value: every digit of a text. */
export function chargeNumberReading(budget: Budget, data: Data): void {
  if (typeof data === 'string') charge(budget, data.length)
}

function textOfObject(data: Exclude<Data, Primitive>, budget: Budget, depth: number): string {
  if (data instanceof Opaque) throw new NeedsSandboxError(`${data.name} is not available`)
  if (isList(data)) return joined(data, ',', budget, depth)
  const own = ['toString', 'valueOf'].filter((key) => Object.hasOwn(data, key))
  if (own.some((key) => data[key] instanceof Opaque))
    throw new NeedsSandboxError('A conversion is not available')
  if (own.includes('toString')) throw new CodeError('Cannot convert object to primitive value')
  return '[object Object]'
}

/** A list as text, each element followed by the separator but for the last. */
export function joined(list: readonly Data[], separator: string, budget: Budget, depth = 0): string {
  if (depth > maxDepth) throw new NeedsSandboxError('Lists are nested too deeply')
  charge(budget, weight.visit)
  let text = ''
  list.forEach((element, index) => {
    const part = isPrimitive(element) ? String(element ?? '') : textOfObject(element, budget, depth + 1)
    const between = index === 0 ? '' : separator
    charge(budget, weight.visit + part.length + between.length)
    text += between + part
  })
  return text
}

/**
 * Counts all that a value holds, each list and object as often as it is met, before something walks through it: a list
 * that holds another twice may be small here and long once written out.
 */
export function weigh(data: Data, budget: Budget, depth = 0): void {
  if (depth > maxDepth) throw new NeedsSandboxError('The result is nested too deeply')
  if (data instanceof Opaque) throw new NeedsSandboxError(`${data.name} is not available`)
  charge(budget, weight.visit + (typeof data === 'string' ? data.length : 0))
  if (isPrimitive(data)) return
  if (isList(data)) for (const element of data) weigh(element, budget, depth + 1)
  else
    for (const [key, value] of Object.entries(data)) {
      charge(budget, key.length)
      weigh(value, budget, depth + 1)
    }
}
