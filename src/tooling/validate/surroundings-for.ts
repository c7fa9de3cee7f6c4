import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { neighbourOf } from '../lint/model/neighbours.ts'
import { type NeighbourFlow, type Surroundings, unknownSurroundings } from '../lint/model/surroundings.ts'

/** Surroundings that a draft may know: for those who hold the preview token, the flows that are published. */
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
