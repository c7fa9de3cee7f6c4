import type { Flow } from '../../../schemas/flow.ts'
import type { Program } from '../../engine/model/program.ts'
import { type FlowMap, pathOfTurn } from './path.ts'
import type { PlayedTurn } from './test-conversation.ts'

/** Parts of a flow that coverage counts. */
export const coveredKinds = ['groups', 'blocks', 'edges', 'items', 'events', 'refusals', 'failures'] as const
export type CoveredKind = (typeof coveredKinds)[number]

/** One thing that tests may touch. */
export interface CoveredPlace {
  readonly kind: CoveredKind
  readonly id: string
  /** Into the flow. */
  readonly pointer: string
  readonly hits: number
}

type CountedPlace = CoveredPlace & { hits: number }

interface CoverageOf {
  readonly total: number
  readonly hit: number
}

export interface FlowCoverage {
  readonly places: readonly CoveredPlace[]
  readonly summary: Readonly<Record<CoveredKind, CoverageOf>>
}

/** Counts which parts of a flow the recorded turns touch. */
export function createCoverage(flow: Flow, program: Program, map: FlowMap) {
  const places = new Map<string, CountedPlace>()
  const declare = (kind: CoveredKind, id: string, pointer: string) => {
    const key = `${kind} ${id}`
    if (!places.has(key)) places.set(key, { kind, id, pointer, hits: 0 })
  }
  const hit = (kind: CoveredKind, id: string) => {
    const place = places.get(`${kind} ${id}`)
    if (place) place.hits += 1
  }
  for (const [g, group] of flow.groups.entries()) {
    declare('groups', group.id, `/groups/${g}`)
    for (const [b, block] of group.blocks.entries()) {
      const pointer = `/groups/${g}/blocks/${b}`
      declare('blocks', block.id, pointer)
      for (const [i, item] of (map.items.get(block.id) ?? []).entries()) {
        declare('items', item.id, `${pointer}/items/${i}`)
      }
      const { kind, marks = {} } = program.blocks.get(block.id)?.handler ?? {}
      if (kind === 'input' && marks.refuses !== 'nothing') declare('refusals', block.id, pointer)
      if (marks.calls && !marks.isClientOnly?.(block)) declare('failures', block.id, pointer)
    }
  }
  for (const [e, event] of flow.events.entries()) {
    if (event.type !== 'start') declare('events', event.id, `/events/${e}`)
  }
  for (const [e, edge] of flow.edges.entries()) declare('edges', edge.id, `/edges/${e}`)

  return {
    add(turn: PlayedTurn): void {
      for (const { kind, names } of pathOfTurn(turn, map)) hit(`${kind}s`, names[0] ?? '')
      for (const { eventId } of turn.came) if (eventId !== undefined) hit('events', eventId)
      for (const { block, reply, hasFailed, went } of turn.steps) {
        for (const { eventId } of went) if (eventId !== undefined) hit('events', eventId)
        hit('blocks', block.id)
        if (reply?.outcome === 'refused') hit('refusals', block.id)
        if (hasFailed) hit('failures', block.id)
      }
    },
    get result(): FlowCoverage {
      const all = [...places.values()]
      const summary = Object.fromEntries(
        coveredKinds.map((kind) => {
          const ofKind = all.filter((place) => place.kind === kind)
          return [kind, { total: ofKind.length, hit: ofKind.filter(({ hits }) => hits > 0).length }]
        }),
      ) as Record<CoveredKind, CoverageOf>
      return { places: all, summary }
    },
  }
}
