import { Failed, NeedsSandbox } from '../outcome.ts'
import { Closure } from './closure.ts'
import { type Budget, charge, type Data, isList, Opaque } from './data.ts'
import { namedFunctions } from './list-builtins.ts'
import type { ScopeFrame } from './scope-frame.ts'

/** What a method of a list does with each element. */
type Callback = (element: Data, index: number, list: readonly Data[]) => Data

type CallbackMethod = (list: readonly Data[], callback: Callback, budget: Budget) => Data

/** What a callback costs beside the expressions in it: its parameters, and the place of what it yields. */
const callWeight = 8

/** Levels of expressions that a call counts for, since it takes as much of the stack. */
const callDepth = 20

/** Methods of lists that take a function and leave the list as it is. */
export const callbackMethods: ReadonlyMap<string, CallbackMethod> = new Map<string, CallbackMethod>([
  ['every', (list, callback) => list.every(callback)],
  ['filter', (list, callback) => list.filter(callback)],
  ['find', (list, callback) => list.find(callback)],
  ['findIndex', (list, callback) => list.findIndex(callback)],
  [
    'flatMap',
    (list, callback, budget) =>
      list.flatMap((element, index, all) => {
        const mapped = callback(element, index, all)
        if (isList(mapped)) charge(budget, mapped.length)
        return mapped
      }),
  ],
  ['map', (list, callback) => list.map(callback)],
  ['some', (list, callback) => list.some(callback)],
])

/** A value as the function that a method of a list calls. */
export function createCallback(data: Data, { budget, depth }: ScopeFrame): Callback {
  const call = callable(data)
  return (...args) => {
    charge(budget, callWeight)
    return call(args, { budget, depth: depth + callDepth })
  }
}

type Call = (args: readonly Data[], at: Pick<ScopeFrame, 'budget' | 'depth'>) => Data

function callable(data: Data): Call {
  if (!(data instanceof Opaque) || data.kind !== 'function') {
    throw new Failed('What is given to a list to call is not a function')
  }
  if (data instanceof Closure) return (args, { depth }) => data.call(args, depth)
  const native = namedFunctions.get(data.name)
  if (!native) throw new NeedsSandbox(`${data.name} is not available`)
  return (args, { budget }) => native(data, args, budget)
}
