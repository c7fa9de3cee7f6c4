import { Ajv } from 'ajv'

/** Amount of errors that a validator reports. */
export type Thoroughness = 'no error' | 'first error' | 'every error'

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
