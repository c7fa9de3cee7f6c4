import type { CallExpression, Expression } from 'acorn'
import { CodeError, NeedsSandboxError } from '../outcome.ts'
import { type Budget, type Data, isList, Opaque } from './data.ts'
import { listMethods, namedFunctions, numberMethods } from './list-builtins.ts'
import { evaluateMember, readProperty, skipped, spreadable } from './operands.ts'
import type { ScopeFrame } from './scope-frame.ts'
import { textMethods } from './string-builtins.ts'

/** Calls one of the functions known here. Any other that exists needs the sandbox. */
export function evaluateCall(node: CallExpression, frame: ScopeFrame): Data {
  const { callee } = node
  if (callee.type !== 'MemberExpression') {
    return callValue(frame.evaluate(callee as Expression, frame), node, frame)
  }
  const { object, key } = evaluateMember(callee, frame)
  if (object === skipped) return skipped
  const call = methodOf(object, key)
  return call
    ? apply(call, spreadable(node.arguments, frame), frame)
    : callValue(readProperty(object, key), node, frame)
}

type Call = (args: readonly Data[], budget: Budget) => Data

/** A method of a value, or a function that stands under the name of an object. */
function methodOf(object: Data, key: string): Call | undefined {
  if (object instanceof Opaque) return bound(namedFunctions.get(`${object.name}.${key}`), object)
  if (typeof object === 'string') return bound(textMethods.get(key), object)
  if (typeof object === 'number') return bound(numberMethods.get(key), object)
  return isList(object) ? bound(listMethods.get(key), object) : undefined
}

function bound<Self>(
  method: ((self: Self, args: readonly Data[], budget: Budget) => Data) | undefined,
  self: Self,
): Call | undefined {
  return method && ((args, budget) => method(self, args, budget))
}

function callValue(value: Data, node: CallExpression, frame: ScopeFrame): Data {
  if (value === skipped || ((value === undefined || value === null) && node.optional)) return skipped
  const call = value instanceof Opaque ? bound(namedFunctions.get(value.name), value) : undefined
  if (value instanceof Opaque && !call) throw new NeedsSandboxError(`${value.name} is not available`)
  const args = spreadable(node.arguments, frame)
  if (!call) throw new CodeError('What is called is not a function')
  return apply(call, args, frame)
}

function apply(call: Call, args: readonly Data[], { budget }: ScopeFrame): Data {
  try {
    return call(args, budget)
  } catch (error) {
    // A built-in rejects its arguments: too many digits, or an invalid radix.
    if (error instanceof RangeError) throw new CodeError(error.message)
    throw error
  }
}
