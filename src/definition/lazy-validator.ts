import type { ErrorObject, ValidateFunction } from 'ajv'
import { createAjv } from './ajv.ts'

/** A schema made ready to check values against. */
export interface Validator {
  /** The quick answer. */
  accepts(value: unknown): boolean
  /** What is wrong with a value: everything when the value is small, else the first thing. */
  errorsOf(value: unknown): readonly ErrorObject[]
}

/** Schemas that others name by `$ref`, by their `$id`. */
export type SharedSchemas = Readonly<Record<string, object>>

/** Number of nested values up to which all errors are reported. */
const mostValuesOfSmall = 10_000

/**
 * Makes checks, for definitions and request bodies alike. A check compiles its schema when it is first used, which
 * takes milliseconds: a definition uses a few of the many block types.
 */
export function createLazyValidator(shared: SharedSchemas = {}): (schema: object) => Validator {
  const quick = createAjv('first error')
  const thorough = createAjv('every error')
  for (const [id, schema] of Object.entries(shared)) {
    quick.addSchema(schema, id)
    thorough.addSchema(schema, id)
  }
  return (schema) => {
    let quickly: ValidateFunction | undefined
    let thoroughly: ValidateFunction | undefined
    return {
      accepts(value) {
        quickly ??= quick.compile(schema)
        return quickly(value)
      },
      errorsOf(value) {
        if (isSmall(value)) {
          thoroughly ??= thorough.compile(schema)
          thoroughly(value)
          return thoroughly.errors ?? []
        }
        quickly ??= quick.compile(schema)
        quickly(value)
        return quickly.errors ?? []
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
