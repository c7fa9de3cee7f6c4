import type { Flow } from '../../schemas/flow.ts'
import { contentHash } from '../../src/definition/content-hash.ts'
import type { Finding } from '../../src/engine/model/findings.ts'
import type { Program } from '../../src/engine/model/program.ts'
import { ServiceError } from '../../src/errors.ts'

/**
 * Publishes like the service, with nothing to compile: stores never look into a program. A text that is no JSON
 * throws a SyntaxError, one without an id a ServiceError with its problem; `findings` of the definition become those
 * of the program.
 */
export function publishText(text: string): { flow: Flow; program: Program } {
  const flow: Flow & { findings?: Finding[] } = JSON.parse(text)
  if (typeof flow.id !== 'string') {
    const problems = [{ pointer: '/id', message: 'must be string' }]
    throw new ServiceError('BAD_REQUEST', 'Input validation failed', { problems })
  }
  const program = { id: flow.id, hash: contentHash(text), findings: () => flow.findings ?? [] }
  return { flow, program: program as unknown as Program }
}
