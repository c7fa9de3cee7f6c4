import type { Flow } from '../../schemas/flow.ts'
import type { FindingSummary } from '../../schemas/flow-state.ts'
import { contentHash } from '../../src/definition/content-hash.ts'
import type { Program } from '../../src/engine/model/program.ts'
import { ServiceError } from '../../src/lib/errors.ts'

/**
 * Publishes like the service, with nothing to compile: stores never look into a program. A text that is no JSON
 * throws a SyntaxError, one without an id a ServiceError with its problem.
 */
export function publishText(text: string): { flow: Flow; program: Program } {
  const flow: Flow = JSON.parse(text)
  if (typeof flow.id !== 'string') {
    const problems = [{ pointer: '/id', message: 'must be string' }]
    throw new ServiceError('BAD_REQUEST', 'Input validation failed', { problems })
  }
  const program = { id: flow.id, hash: contentHash(text) }
  return { flow, program: program as unknown as Program }
}

/** Finds what a definition says about itself under `findings`. */
export async function findingsInText(flow: Flow): Promise<readonly FindingSummary[]> {
  return (flow as Flow & { findings?: FindingSummary[] }).findings ?? []
}
