import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { toProblems } from '../../definition/problems.ts'
import { invalidInput } from '../../lib/errors.ts'

/** Schema of a definition in a body: src/definition validates it, with better messages. */
const anyObject = { type: 'object' }

/** Checks requests without changing them; errors name the place in the body or the path. */
export function createValidatorCompiler(): FastifySchemaCompiler<FastifySchema> {
  const createCheck = createLazyValidator({ FlowDefinition: anyObject })
  return ({ schema }) => {
    const check = createCheck(schema)
    return (value: unknown) => {
      // A value that is given back is set anew, which makes every later look at headers a copy of them.
      if (check.accepts(value)) return true
      const problems = toProblems(check.errorsOf(value))
      return { error: invalidInput(problems) }
    }
  }
}
