import { ServiceError } from '../../lib/errors.ts'
import { escapeToken } from '../../lib/json-pointer.ts'

/** Throws BAD_REQUEST where the body of a preview has its definition under another name than `flow`. */
export function refuseMisnamedDefinition(body: object): void {
  for (const name in body) {
    if (name === 'flow' || !isDefinition((body as Readonly<Record<string, unknown>>)[name])) continue
    const message = 'looks like the definition, which belongs in "flow"'
    throw new ServiceError('BAD_REQUEST', 'The definition belongs in "flow"', {
      problems: [{ pointer: `/${escapeToken(name).slice(0, 100)}`, message }],
    })
  }
}

function isDefinition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'groups' in value && Array.isArray(value.groups)
}
