import type { Program } from 'acorn'
import { type Evaluated, Failed, MerelyNamed, NeedsSandbox } from '../outcome.ts'
import { type Budget, type Data, Opaque, weigh } from './data.ts'
import { evaluateExpression } from './expressions.ts'
import type { ScopeFrame } from './scope-frame.ts'
import { runBody } from './statements.ts'

/** Runs the body of a function and returns its outcome. Throws only when a limit is exceeded. */
export function run({ body }: Program, world: Pick<ScopeFrame, 'variable' | 'budget'>): Evaluated {
  const frame = { ...world, locals: [], depth: 0, evaluate: evaluateExpression }
  try {
    return { ok: true, value: resultOf(runBody(body, frame), world.budget) }
  } catch (error) {
    if (error instanceof MerelyNamed) {
      return { ok: false, message: error.message, needsSandbox: false, mayBeWords: true }
    }
    if (error instanceof Failed) return { ok: false, message: error.message, needsSandbox: false }
    if (error instanceof NeedsSandbox) return { ok: false, message: error.message, needsSandbox: true }
    throw error
  }
}

/** A result as it can be copied out of code: a function can't, and `this` or `Math` are words rather than values. */
function resultOf(data: Data, budget: Budget): Data {
  if (data instanceof Opaque) {
    throw new MerelyNamed(`${data.kind === 'function' ? 'A function' : data.name} is not a value`)
  }
  weigh(data, budget)
  return data
}
