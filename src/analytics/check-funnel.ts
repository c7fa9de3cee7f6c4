import type { Program } from '../engine/model/program.ts'
import { invalidInput, type Problem } from '../lib/errors.ts'
import { nearestName } from '../lib/nearest-name.ts'
import type { VersionPlaces } from '../stores/counts/count-store.ts'
import { storable } from '../stores/counts/turn-facts.ts'
import { mostPlaces } from './path-places.ts'

interface CountedFlow {
  /** Undefined for a flow that is published no more. */
  readonly program: Program | undefined
  readonly versions: readonly VersionPlaces[]
}

/** Blocks that are told of: each is compared with all names. */
const mostUnknown = 5

/**
 * Throws BAD_REQUEST for a block that neither the published version of the flow nor one that was counted has: nobody would have come
 * through it, as nobody has through a question that all of them left, and a slip would pass for that.
 */
export function checkFunnel(funnel: readonly string[], { program, versions }: CountedFlow): void {
  // The places of so large a version are not all kept.
  if (versions.some(({ places }) => places.length >= mostPlaces)) return
  const counted = versions.flatMap(({ places }) => places).filter((place) => !place.startsWith('\n'))
  const blocks = new Set([...(program?.blocks.ids() ?? []), ...counted])
  let unknown = 0
  const problems = funnel.flatMap((block, index): Problem[] => {
    if (blocks.has(block) || blocks.has(storable(block)) || ++unknown > mostUnknown) return []
    const near = nearestName(block, blocks)
    const place = `block ${index + 1}, ${JSON.stringify(block)},`
    const hint = near ? `; did you mean ${JSON.stringify(near.name)}?` : ''
    return [{ pointer: '/funnel', message: `${place} is in no version of this flow${hint}` }]
  })
  if (problems.length > 0) throw invalidInput(problems)
}
