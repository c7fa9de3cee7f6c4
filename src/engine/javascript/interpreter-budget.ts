import type { Scope } from '../model/scope.ts'
import type { Budget } from './interpreter/data.ts'
import { NeedsSandbox } from './outcome.ts'

/**
 * Characters that code of one block may be charged while it is interpreted, which blocks the event loop:
 * some thirty milliseconds. What takes longer is run by the sandbox, beside the event loop.
 */
export const maxInterpreted = 1024 * 1024

/** A function that is called for each element of a list is all that makes short code take long. */
const mayLoop = /=>|function/

/** The budget of a scope, which ends with `NeedsSandbox` where the code takes longer than the scope allows. */
export function interpreterBudget(text: string, scope: Scope): Budget {
  if (!scope.codeAllowance || !mayLoop.test(text)) return scope
  let left = scope.codeAllowance()
  return {
    spend(characters) {
      left -= characters
      if (left < 0) throw new NeedsSandbox('The code takes long')
      scope.spend(characters)
    },
  }
}
