import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

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
    const validator: Validator = {
      accepts(value) {
        // From then on, whoever asks is answered by what was compiled.
        validator.accepts = compile(schema, 'no error') as (value: unknown) => boolean
        return validator.accepts(value)
      },
      errorsOf(value) {
        const thoroughness = isSmall(value) ? 'every error' : 'first error'
        compiled[thoroughness] ??= compile(schema, thoroughness)
        compiled[thoroughness](value)
        return compiled[thoroughness].errors ?? []
      },
    }
    return validator
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

/** Amount of errors that a validator reports. */
type Thoroughness = 'no error' | 'first error' | 'every error'

/**
 * A validator that changes nothing in what it checks: no coercion, no defaults, no keys removed.
 *
 * All errors are reported only where the size of the value is known: a list of a million wrong items makes a million
 * error objects.
 */
export function createAjv(thoroughness: Thoroughness = 'first error'): Ajv {
  return new Ajv({
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: false,
    allErrors: thoroughness === 'every error',
    discriminator: true,
    // The members of a tagged union are named in its error; those stand in the schema.
    verbose: thoroughness !== 'no error',
    messages: thoroughness !== 'no error',
    // It makes compiling a third slower, and what V8 makes of the code no faster.
    code: { optimize: false },
    // Formats inform readers of the OpenAPI document; they are not validated.
    validateFormats: false,
    // A list of types reports one error for several types, see schemas/common.ts.
    allowUnionTypes: true,
    strictTypes: false,
    // The schemas are our own and a test holds them against theirs, which takes 20 ms to compile.
    meta: false,
    validateSchema: false,
  })
}
