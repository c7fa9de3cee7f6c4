import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { createAjv, type Thoroughness } from './ajv.ts'

/** A schema made ready to check values against. */
export interface Validator {
  /** The quick answer. */
  accepts(value: unknown): boolean
  /** Errors of a value: all of them when the value is small, else the first. */
  errorsOf(value: unknown): readonly ErrorObject[]
}

/** Schemas that others name by `$ref`, by their `$id`. */
type SharedSchemas = Readonly<Record<string, object>>

/** Number of nested values up to which all errors are reported. */
const mostValuesOfSmall = 10_000

/**
 * Makes checks, for definitions and request bodies alike. A check compiles its schema when it is first used, which
 * takes milliseconds: a definition uses a few of the many block types. What reports errors takes half as long again,
 * and is compiled when something is wrong.
 */
export function createLazyValidator(shared: SharedSchemas = {}): (schema: object) => Validator {
  const compilers = new Map<Thoroughness, Ajv>()
  const compile = (schema: object, thoroughness: Thoroughness) => {
    const known = compilers.get(thoroughness)
    const ajv = known ?? createAjv(thoroughness)
    if (!known) {
      for (const [id, named] of Object.entries(shared)) ajv.addSchema(named, id)
      compilers.set(thoroughness, ajv)
    }
    return ajv.compile(schema)
  }
  return (schema) => {
    const compiled: { [thoroughness in Thoroughness]?: ValidateFunction } = {}
    return {
      accepts(value) {
        compiled['no error'] ??= compile(schema, 'no error')
        return compiled['no error'](value)
      },
      errorsOf(value) {
        const thoroughness = isSmall(value) ? 'every error' : 'first error'
        compiled[thoroughness] ??= compile(schema, thoroughness)
        compiled[thoroughness](value)
        return compiled[thoroughness].errors ?? []
      },
    }
  }
}

function isSmall(value: unknown): boolean {
  const values = [value]
  for (const container of values) {
    if (typeof container !== 'object' || container === null) continue
    for (const child of Array.isArray(container) ? container : Object.values(container)) {
      if (values.push(child) > mostValuesOfSmall) return false
    }
  }
  return true
}
