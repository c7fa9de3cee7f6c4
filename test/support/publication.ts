import type { FlowState } from '../../schemas/flow-state.ts'
import type { Publication } from '../../src/publication/publication.ts'
import { createPublication } from '../../src/publication/publication-service.ts'
import { openTable } from '../publication/open-flows.ts'

/** Operations on flows in these states. */
export function publicationOf(states: readonly FlowState[]): Publication {
  return createPublication({
    table: openTable(),
    catalogue: {
      byPublicId: async () => undefined,
      written: async () => undefined,
      states: () => states,
      inspected: async () => undefined,
      refresh: async () => undefined,
    },
    definitions: { get: async () => undefined },
    prepare: () => {
      throw new Error('nothing is published here')
    },
    announce: () => undefined,
    inspect: async () => [],
  })
}
