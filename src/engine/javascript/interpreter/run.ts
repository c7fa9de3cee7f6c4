import type { Expression, Program } from 'acorn'
import type { Scope } from '../../model/scope.ts'
import { CodeError, type CodeOutcome, NeedsSandboxError, NotCodeError } from '../outcome.ts'
import { type Budget, type Data, Opaque, weigh } from './data.ts'
import { evaluateExpression } from './expressions.ts'
import type { ScopeFrame } from './scope-frame.ts'

export interface World extends Pick<ScopeFrame, 'variable' | 'budget'> {
  readonly resultBudget: Budget
}

/**
 * Evaluates what the body of a function returns, if it does nothing else, and gives the outcome. Throws only when a limit
 * of the turn is exceeded.
 */
export function runProgram({ body }: Program, { variable, budget, resultBudget }: World): CodeOutcome {
  try {
    const returned = returnedBy(body)
    const frame = { variable, budget, evaluate: evaluateExpression }
    return {
      ok: true,
      value: returned ? resultOf(evaluateExpression(returned, frame), resultBudget) : undefined,
    }
  } catch (error) {
    if (error instanceof NotCodeError) {
      return { ok: false, message: error.message, needsSandbox: false, mayBeWords: true }
    }
    if (error instanceof CodeError) return { ok: false, message: error.message, needsSandbox: false }
    if (error instanceof NeedsSandboxError) return { ok: false, message: error.message, needsSandbox: true }
    throw error
  }
}

/** Several lines of words are a `return` as well, and expressions behind it that are never reached. */
function returnedBy([first, ...others]: Program['body']): Expression | null | undefined {
  const isPlain = first?.type === 'ReturnStatement' && others.every(({ type }) => unreached.has(type))
  if (!isPlain) throw new NeedsSandboxError('Statements are not available')
  return first.argument
}

const unreached: ReadonlySet<string> = new Set(['ExpressionStatement', 'EmptyStatement'])

/** A result as it can be copied out of code: a function can't, and `this` or `Math` are words rather than values. */
function resultOf(data: Data, budget: Budget): Data {
  if (data instanceof Opaque) {
    throw new NotCodeError(`${data.kind === 'function' ? 'A function' : data.name} is not a value`)
  }
  weigh(data, budget)
  return data
}

/**
 * Fuel of one expression, which blocks all other work: some three milliseconds, or fifteen for code that V8 has not
 * compiled yet. Measured as processor time on Node 20, by giving each operator and method the longest texts and lists
 * that are just not too much: work on lists takes 3 to 10 ns for each unit that is charged, all else less. It is room
 * for two of the longest texts of variables, put together and handed on.
 */
const mostFuel = 320 * 1024

/**
 * Fuel of one expression. When it is spent, the expression is left to the sandbox: it has no effects, so it can be run
 * again. The charges count for the turn as well.
 */
export function createFuel(scope: Pick<Scope, 'spend'>): Budget {
  let left = mostFuel
  return {
    spend(amount) {
      left -= amount
      if (left < 0) throw new NeedsSandboxError('The expression takes long')
      scope.spend(amount)
    },
  }
}
