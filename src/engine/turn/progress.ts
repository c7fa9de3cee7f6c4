import type { Conversation } from '../model/conversation.ts'
import { type CompiledBlock, type Program, type Target, targetOf } from '../model/program.ts'

/**
 * How far the visitor has come, from 0 to 100, not rounded (docs/behaviour.md, "Progress"); undefined while the
 * client owes something other than an answer.
 */
export function computeProgress(conversation: Conversation, awaitsAction: boolean): number | undefined {
  const { waitingBlock, acceptedReplies } = conversation
  if (waitingBlock?.handler?.kind !== 'input') return awaitsAction ? undefined : 100
  const ahead = reachableInputs(conversation, waitingBlock)
  return (100 * (acceptedReplies + 1)) / (acceptedReplies + 1 + ahead)
}

/** How many different inputs can still come, the waiting one included: every branch counts. */
function reachableInputs({ frames }: Conversation, waiting: CompiledBlock): number {
  const [front] = frames
  const ahead = front && reachFrom(front.program, waiting)
  // Nothing behind a link is added: what is known is not copied, which would take longer the larger the flow is.
  if (ahead && (frames.length === 1 || !ahead.ends)) return ahead.inputs.size
  const inputs = new Set<CompiledBlock>()
  let from: CompiledBlock | undefined = waiting
  for (const { program, resumeAt } of frames) {
    // Nothing behind the link: the flow ends with the one that it linked to.
    const reach: Reach = from ? reachFrom(program, from) : { inputs: new Set(), ends: true }
    for (const input of reach.inputs) inputs.add(input)
    if (!reach.ends) return inputs.size
    from = resumeAt
  }
  return inputs.size
}

interface Reach {
  readonly inputs: ReadonlySet<CompiledBlock>
  /** Whether a path from here reaches the end of the flow. */
  readonly ends: boolean
}

/** What can be reached in a program never changes, so each block is asked once. */
const known = new WeakMap<CompiledBlock, Reach>()

function reachFrom(program: Program, start: CompiledBlock): Reach {
  const remembered = known.get(start)
  if (remembered) return remembered
  const inputs = new Set<CompiledBlock>()
  const seen = new Set<CompiledBlock>([start])
  let ends = false
  for (const block of seen) {
    if (block.handler?.kind === 'input') inputs.add(block)
    if (!block.following && block.edgeId === undefined) ends = true
    for (const target of targetsOf(program, block)) {
      if (target?.kind === 'block') seen.add(target.block)
      else ends = true
    }
    if (block.following) seen.add(block.following)
  }
  const reach = { inputs, ends }
  known.set(start, reach)
  return reach
}

function targetsOf(program: Program, block: CompiledBlock): (Target | undefined)[] {
  const edgeIds = block.edgeId === undefined ? block.itemEdgeIds : [...block.itemEdgeIds, block.edgeId]
  return edgeIds.map((edgeId) => targetOf(program, edgeId))
}
