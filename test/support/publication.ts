import type { FlowState } from '../../schemas/flow-state.ts'
import type { Publication } from '../../src/publication/publication.ts'
import { createPublication } from '../../src/publication/publication-service.ts'

/** Flows of a folder, without a database, in these states. */
export function publicationOf(states: readonly FlowState[]): Publication {
  return createPublication({
    catalogue: undefined,
    files: { byPublicId: async () => undefined },
    definitions: { get: async () => undefined },
    states: () => states,
    inspected: async () => undefined,
    refresh: async () => undefined,
    prepare: () => {
      throw new Error('nothing is published here')
    },
    inspect: async () => [],
  })
}
