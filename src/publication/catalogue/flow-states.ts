import type { FlowState } from '../../../schemas/flow-state.ts'
import type { PublicationFacts } from '../../stores/published-flows.ts'
import type { FlowHead } from './checked-flows.ts'
import type { ShelvedFlow } from './shelved-flow.ts'

/** Findings of one flow that are shown. */
const shownFindings = 100

/** States of all flows that are published or known to be broken. Of those with one public id the first is published. */
export function describeFlows(places: Iterable<ShelvedFlow>): FlowState[] {
  const taken = new Set<string>()
  return [...places].flatMap(({ label, flow, head, facts = flow, failure, findings = [] }) => {
    const problems = failure?.isReported ? failure.problems : []
    if (!flow && problems.length === 0) return []
    const isShadowed = facts !== undefined && taken.has(facts.publicId)
    if (flow) taken.add(flow.publicId)
    const good = problems.length > 0 ? 'stale' : 'published'
    return {
      ...('file' in label ? label : { version: label.version }),
      state: isShadowed ? 'shadowed' : flow ? good : 'broken',
      ...(facts && pickFacts(facts)),
      ...(head && nameOf(head)),
      problems: [...problems],
      findings: findings.slice(0, shownFindings),
    }
  })
}

function pickFacts({ publicId, publishedAt, isClosed, isArchived }: PublicationFacts): PublicationFacts {
  return { publicId, publishedAt, isClosed, isArchived }
}

function nameOf({ id, name }: FlowHead) {
  return { flowId: id, ...(name !== undefined && { name }) }
}

/** Counts flows by their state, each state included. */
export function countStates(states: readonly Pick<FlowState, 'state'>[]): Record<FlowState['state'], number> {
  const counts = { published: 0, stale: 0, broken: 0, shadowed: 0 }
  for (const { state } of states) counts[state] += 1
  return counts
}

/** Broken flows that are named one by one. */
const namedFlows = 10

/** Says which flows are broken, for `/ready`. */
export function describeBrokenFlows(
  states: readonly Pick<FlowState, 'file' | 'publicId' | 'version' | 'state'>[],
): readonly string[] {
  const broken = states.filter(({ state }) => state === 'broken' || state === 'stale')
  const named = broken.slice(0, namedFlows).map(({ file, publicId, version, state }) => {
    const fate = state === 'stale' ? 'its last good version is published' : 'it is not published'
    if (file === undefined)
      return `Version ${version} of the flow ${publicId} can't be run by this build: ${fate}`
    return `The flow file ${file} is broken: ${fate}`
  })
  const unnamed = broken.length - namedFlows
  return unnamed > 0 ? [...named, `So are ${unnamed} more`] : named
}
