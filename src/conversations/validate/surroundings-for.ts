import { neighbourOf } from '../../tooling/lint/model/surroundings/neighbours.ts'
import {
  type NeighbourFlow,
  type Surroundings,
  unknownSurroundings,
} from '../../tooling/lint/model/surroundings/surroundings.ts'
import type { ChatDependencies } from '../dependencies.ts'

/** What a draft may know of its service: for those who hold the preview token, the flows that are published. */
export async function surroundingsFor(
  isTrusted: boolean,
  { published }: Pick<ChatDependencies, 'published'>,
): Promise<Surroundings> {
  if (!isTrusted) return unknownSurroundings
  const flows = await published.list()
  const byId = new Map(flows.toReversed().map((flow) => [flow.flow.id, flow]))
  const byPublicId = new Map(flows.toReversed().map((flow) => [flow.publicId, flow]))
  const known = new Map<string, NeighbourFlow | undefined>()
  return {
    findFlow(name) {
      if (known.has(name)) return known.get(name)
      const found = byId.get(name) ?? byPublicId.get(name)
      const neighbour = found && neighbourOf(found)
      known.set(name, neighbour)
      return neighbour
    },
  }
}
