import type { AnyNode, CallExpression, Program } from 'acorn'
import { callbackMethods } from './callbacks.ts'
import { isPlainArrow } from './closure.ts'
import { knowsExpression } from './expressions.ts'
import { listMethods, namedFunctions, numberMethods } from './functions.ts'
import { globals, inheritedNames } from './globals.ts'
import type { Parsed } from './parse.ts'
import { knowsStatement } from './statements.ts'
import { textMethods } from './text-methods.ts'

/** What can be said against code before it ever runs. */
export type Doubt = 'invalid-code' | 'not-available'

/** Whether code, by the look of it, is none, or goes beyond what is interpreted here. */
export function doubtOf({ program, failure }: Parsed): Doubt | undefined {
  if (failure) return failure.needsSandbox ? 'not-available' : 'invalid-code'
  return looksBeyond(program) ? 'not-available' : undefined
}

/**
 * Whether code, by the look of it, goes beyond what is interpreted here. For telling its author beforehand; only
 * running it says for sure.
 */
function looksBeyond(program: Program): boolean {
  const pending: object[] = [...program.body]
  for (let item = pending.pop(); item; item = pending.pop()) {
    if ('type' in item && isBeyond(item as AnyNode)) return true
    for (const child of Object.values(item))
      if (typeof child === 'object' && child !== null) pending.push(child)
  }
  return false
}

function isBeyond(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return callsBeyond(node)
  if (node.type === 'ArrowFunctionExpression') return !isPlainArrow(node)
  if (node.type === 'FunctionExpression') return true
  if (node.type === 'Literal') return Boolean(node.regex ?? node.bigint)
  if (node.type.endsWith('Expression')) return !knowsExpression(node.type)
  return /Statement$|Declaration$/.test(node.type) && !knowsStatement(node.type)
}

function callsBeyond({ callee }: CallExpression): boolean {
  if (callee.type === 'Identifier') return globals.has(callee.name) && !namedFunctions.has(callee.name)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.computed)
    return false
  const { object, property } = callee
  if (object.type === 'Identifier' && globals.has(object.name)) {
    return !namedFunctions.has(`${object.name}.${property.name}`)
  }
  return isMethod(property.name) && !isKnownMethod(property.name)
}

const isKnownMethod = (name: string) =>
  [textMethods, listMethods, callbackMethods, numberMethods].some((methods) => methods.has(name))

const isMethod = (name: string) => Object.values(inheritedNames).some((names) => names.has(name))
