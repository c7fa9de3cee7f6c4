import type { Conversation, Frame } from '../model/conversation.ts'
import { Memo } from '../model/footprint.ts'
import { type CompiledBlock, type Program, type Target, targetOf } from '../model/program.ts'

/**
 * Progress of the visitor, from 0 to 100, not rounded (docs/behaviour/walk.md, "Progress"); undefined while the client
 * owes something other than an answer, and while a person leads the conversation.
 */
export function computeProgress(conversation: Conversation, awaitsAction: boolean): number | undefined {
  const { waitingBlock, acceptedReplies } = conversation
  if (conversation.pause) return undefined
  if (waitingBlock?.handler?.kind !== 'input') return awaitsAction ? undefined : 100
  const ahead = countReachableInputs(conversation, waitingBlock)
  return (100 * (acceptedReplies + 1)) / (acceptedReplies + 1 + ahead)
}

/** Number of different inputs that can still follow, the waiting one included: every branch counts. */
function countReachableInputs({ frames }: Conversation, waiting: CompiledBlock): number {
  if (frames.length === 1) return reachFrom(frames[0].program, waiting).inputs
  const passed = framesPassed(frames, waiting)
  const starts = new Map<Program, CompiledBlock[]>()
  for (const { program, from } of passed) starts.set(program, [...(starts.get(program) ?? []), from])
  // Blocks of different programs are different, so that their numbers add up.
  if (starts.size === passed.length) return passed.reduce((sum, { reach }) => sum + reach.inputs, 0)
  let inputs = 0
  for (const [program, froms] of starts) inputs += countInputs(explore(program, froms).seen)
  return inputs
}

interface PassedFrame {
  readonly program: Program
  readonly from: CompiledBlock
  readonly reach: Reach
}

/** The frames that the walk can reach, the current one first, with the block where it goes on in each. */
function framesPassed(frames: readonly Frame[], waiting: CompiledBlock): PassedFrame[] {
  const passed: PassedFrame[] = []
  let from: CompiledBlock | undefined = waiting
  for (const { program, resumeAt } of frames.toReversed()) {
    // Without a block after the link, the flow ends with the one that it linked to.
    const reach: Reach | undefined = from && reachFrom(program, from)
    if (from && reach) passed.push({ program, from, reach })
    if (reach?.ends === false) break
    from = resumeAt
  }
  return passed
}

interface Reach {
  /** Number of different inputs that can follow, the first block included. */
  readonly inputs: number
  /** Whether a path from here reaches the end of the flow. */
  readonly ends: boolean
}

/** Reachability in a program never changes. A number a block: the blocks themselves would add up to a square. */
const known = new Memo<CompiledBlock, Reach>(() => 32)

function reachFrom(program: Program, start: CompiledBlock): Reach {
  const remembered = known.get(start)
  if (remembered) return remembered
  const explored = explore(program, [start])
  const reach = { inputs: countInputs(explored.seen), ends: explored.ends }
  known.keep(start, reach, program.footprint)
  rememberLineBehind(start, { program, reach, entered: explored.entered })
  return reach
}

/**
 * Blocks in a line, of which each leads to the next only, reach the same but for themselves: they are counted without
 * another walk, up to the first that can be come back to.
 */
function rememberLineBehind(
  start: CompiledBlock,
  { program, reach, entered }: { program: Program; reach: Reach; entered: ReadonlySet<CompiledBlock> },
): void {
  let { inputs } = reach
  for (let block = start; ; ) {
    const { following } = block
    if (!following || leaves(block) || entered.has(block) || known.get(following)) return
    if (isInput(block)) inputs -= 1
    known.keep(following, { inputs, ends: reach.ends }, program.footprint)
    block = following
  }
}

interface ReachedBlocks {
  readonly seen: ReadonlySet<CompiledBlock>
  /** Blocks of `seen` with a way in other than the block above, and every start that a path returns to. */
  readonly entered: ReadonlySet<CompiledBlock>
  readonly ends: boolean
}

function explore(program: Program, starts: readonly CompiledBlock[]): ReachedBlocks {
  const seen = new Set<CompiledBlock>(starts)
  const entered = new Set<CompiledBlock>()
  let ends = false
  for (const block of seen) {
    if (!block.following && block.edgeId === undefined) ends = true
    for (const target of targetsOf(program, block)) {
      if (target?.kind === 'block') {
        seen.add(target.block)
        entered.add(target.block)
      } else ends = true
    }
    if (!block.following) continue
    seen.add(block.following)
    if (starts.includes(block.following)) entered.add(block.following)
  }
  return { seen, entered, ends }
}

function countInputs(blocks: Iterable<CompiledBlock>): number {
  let inputs = 0
  for (const block of blocks) if (isInput(block)) inputs += 1
  return inputs
}

const isInput = ({ handler }: CompiledBlock) => handler?.kind === 'input'

const leaves = ({ edgeId, itemEdgeIds }: CompiledBlock) => edgeId !== undefined || itemEdgeIds.length > 0

function targetsOf(program: Program, block: CompiledBlock): (Target | undefined)[] {
  const edgeIds = block.edgeId === undefined ? block.itemEdgeIds : [...block.itemEdgeIds, block.edgeId]
  return edgeIds.map((edgeId) => targetOf(program, edgeId))
}
