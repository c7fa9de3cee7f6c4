import { CodeError, NeedsSandboxError } from '../outcome.ts'
import { type Data, isList, isPrimitive, Opaque } from './data.ts'
import { inheritedNames } from './globals.ts'

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
