import type { ObjectExpression, Property } from 'acorn'
import { NeedsSandboxError } from '../outcome.ts'
import { charge, type Data, type DataObject, toText, weight } from './data.ts'
import type { ScopeFrame } from './scope-frame.ts'

/** Makes the object that a literal describes. */
export function evaluateObject({ properties }: ObjectExpression, frame: ScopeFrame): Data {
  const object: DataObject = Object.create(null)
  for (const property of properties) {
    if (property.type === 'SpreadElement' || property.kind !== 'init' || setsPrototype(property)) {
      throw new NeedsSandboxError('Not a plain object')
    }
    const key = keyOf(property, frame)
    charge(frame.budget, weight.visit + key.length)
    object[key] = frame.evaluate(property.value, frame)
  }
  return object
}

function keyOf({ computed, key }: Property, frame: ScopeFrame): string {
  if (!computed && key.type === 'Identifier') return key.name
  return toText(frame.evaluate(key, frame), frame.budget)
}

function setsPrototype({ computed, shorthand, method, key }: Property): boolean {
  if (computed || shorthand || method) return false
  return key.type === 'Identifier'
    ? key.name === '__proto__'
    : key.type === 'Literal' && key.value === '__proto__'
}
