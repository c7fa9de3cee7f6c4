import type * as ast from 'acorn'
import { CodeError, NeedsSandboxError } from '../outcome.ts'
import { charge, type Data, isList, isPrimitive, Opaque, toText, weight } from './data.ts'
import { inheritedNames, type ScopeFrame } from './scope-frame.ts'

/** Value of a chain after a `?.` on nothing; it never leaves the chain. */
export const skipped = new Opaque('object', '?.')

/** The object and the key of a member expression, evaluated in this order. */
export function evaluateMember(node: ast.MemberExpression, frame: ScopeFrame): { object: Data; key: string } {
  // `super` and private names do not parse outside a class.
  const object = frame.evaluate(node.object as ast.Expression, frame)
  const isMissing = object === null || object === undefined
  if (object === skipped || (isMissing && node.optional)) return { object: skipped, key: '' }
  if (!node.computed) return { object, key: (node.property as ast.Identifier).name }
  const key = toText(frame.evaluate(node.property as ast.Expression, frame), frame.budget)
  charge(frame.budget, key.length)
  return { object, key }
}

/** The elements of a list or of arguments, those of spread lists and texts among them. */
export function spreadable(
  elements: readonly (ast.Expression | ast.SpreadElement | null)[],
  frame: ScopeFrame,
): Data[] {
  const values: Data[] = []
  for (const element of elements) {
    if (!element) throw new NeedsSandboxError('A list with holes is not available')
    if (element.type === 'SpreadElement') {
      for (const value of iterate(frame.evaluate(element.argument, frame), frame)) values.push(value)
    } else values.push(frame.evaluate(element, frame))
  }
  return values
}

function iterate(data: Data, { budget }: ScopeFrame): Iterable<Data> {
  if (data instanceof Opaque) throw new NeedsSandboxError(`${data.name} is not available`)
  if (typeof data !== 'string' && !isList(data)) throw new CodeError(`${typeof data} is not iterable`)
  // Each is taken out, and put in.
  charge(budget, 2 * weight.visit * data.length)
  return data
}

const index = /^(?:0|[1-9]\d{0,15})$/

/** Reads a property of a value itself. What a value inherits is out of reach: it needs the sandbox. */
export function readProperty(data: Data, key: string): Data {
  if (data === null || data === undefined)
    throw new CodeError(`Cannot read properties of ${data} (reading '${key}')`)
  if (data instanceof Opaque) throw new NeedsSandboxError(`${data.name}.${key} is not available`)
  if (typeof data === 'string' || isList(data)) {
    if (key === 'length') return data.length
    if (index.test(key)) return data[Number(key)]
  } else if (!isPrimitive(data) && Object.hasOwn(data, key)) return data[key]
  if (inheritedNames[kindOf(data)].has(key)) throw new NeedsSandboxError(`${key} is not available`)
  return undefined
}

function kindOf(data: Exclude<Data, null | undefined | Opaque>): keyof typeof inheritedNames {
  if (isList(data)) return 'list'
  return typeof data as 'string' | 'number' | 'boolean' | 'object'
}
