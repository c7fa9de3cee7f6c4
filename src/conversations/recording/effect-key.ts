import { contentHash } from '../../definition/content-hash.ts'
import type { PerformedEffect } from '../effects/effect-executor.ts'
import { toExactJson } from './exact-json.ts'

/** Names what an effect asks for: equal questions have equal names, and none can be read in its name. */
export function effectKey(effect: PerformedEffect): string {
  return contentHash(
    JSON.stringify(toExactJson(effect.type === 'evaluate' ? withoutCallers(effect) : effect)),
  )
}

/** Drops the caller of code, who makes no difference to its outcome. */
function withoutCallers(effect: Extract<PerformedEffect, { type: 'evaluate' }>): PerformedEffect {
  return { ...effect, jobs: effect.jobs.map(({ tool: _, ...job }) => job) }
}
