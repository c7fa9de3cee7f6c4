import type { FindingSummary, FlowState } from '../../../schemas/flow-state.ts'
import type { Problem } from '../../lib/errors.ts'
import type { PublishedFlow } from '../published-flows.ts'

/** A file as far as it has been read. */
export interface ReadFile {
  readonly file: string
  readonly flow: PublishedFlow | undefined
  readonly findings: readonly FindingSummary[]
  /** Why the file as it is now can't be published; empty when it can. */
  readonly problems: readonly Problem[]
}

/** Findings of one flow that are shown. */
const shownFindings = 100

/** Says what has become of each file. Of two files with one public id the first is published. */
export function describeFiles(files: Iterable<ReadFile>): FlowState[] {
  const taken = new Set<string>()
  return [...files].map(({ file, flow, findings, problems }) => {
    const isShadowed = flow !== undefined && taken.has(flow.publicId)
    if (flow) taken.add(flow.publicId)
    const good = problems.length > 0 ? 'stale' : 'published'
    return {
      file,
      state: !flow ? 'broken' : isShadowed ? 'shadowed' : good,
      ...(flow && factsOf(flow)),
      problems: [...problems],
      findings: findings.slice(0, shownFindings),
    }
  })
}

/** The title of a flow, where it has one. */
export function nameOf({ name }: Pick<PublishedFlow['flow'], 'name'>): { readonly name?: string } {
  return name === undefined ? {} : { name }
}

function factsOf({ publicId, flow, publishedAt, isClosed, isArchived }: PublishedFlow) {
  return { publicId, ...nameOf(flow), flowId: flow.id, publishedAt, isClosed, isArchived }
}

/** Counts files by their state, each state included. */
export function countStates(states: readonly Pick<FlowState, 'state'>[]): Record<FlowState['state'], number> {
  const counts = { published: 0, stale: 0, broken: 0, shadowed: 0 }
  for (const { state } of states) counts[state] += 1
  return counts
}

/** Broken files that are named one by one. */
const namedFiles = 10

/** Says which flows are broken, for `/ready`. */
export function describeBrokenFiles(
  states: readonly Pick<FlowState, 'file' | 'publicId' | 'version' | 'state'>[],
): readonly string[] {
  const broken = states.filter(({ state }) => state === 'broken' || state === 'stale')
  const named = broken.slice(0, namedFiles).map(({ file, publicId, version, state }) => {
    const fate = state === 'stale' ? 'its last good version is published' : 'it is not published'
    if (file === undefined)
      return `Version ${version} of the flow ${publicId} can't be run by this build: ${fate}`
    return `The flow file ${file} is broken: ${fate}`
  })
  const unnamed = broken.length - namedFiles
  return unnamed > 0 ? [...named, `So are ${unnamed} more`] : named
}
