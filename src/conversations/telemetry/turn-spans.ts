import type { Conversation } from '../../engine/model/conversation.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { sessionHash } from '../../lib/session-hash.ts'
import type { OpenSpan, SpanAttributes, Spans } from '../../ports/spans-port.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import type { Journal } from '../turn/journal.ts'
import { hasErrors } from '../turn/report-turn.ts'
import { endCallSpans, errorTypeOf } from './call-spans.ts'
import { spanNames } from './span-names.ts'

/** Blocks of a turn that get spans of their own. */
const mostBlocks = 100

/** Groups of a turn that its span names. */
const mostGroups = 50

/** Ids in a draft are as long as its author likes. */
const longestId = 100

type SpanOwner = Pick<TurnOwner, 'kind' | 'sessionId' | 'publicId' | 'requestLog'>

/** Begins the span of a turn, as a child of its request's; undefined without tracing. */
export function beginTurnSpan(
  { kind, sessionId, publicId, requestLog }: SpanOwner,
  entry: 'start' | 'continue' | 'stream' | 'timer' | 'operator',
  { spans }: { readonly spans?: Spans | undefined },
): OpenSpan | undefined {
  if (!spans) return undefined
  const attributes = {
    [spanNames.kind]: kind,
    [spanNames.entry]: entry,
    ...(publicId !== undefined && { [spanNames.publicId]: publicId.slice(0, longestId) }),
    // The id itself gives access to the conversation.
    [spanNames.conversation]: sessionHash(sessionId),
  }
  const facts = { name: 'flow.turn', kind: 'internal', attributes } as const
  return requestLog?.span?.child(facts) ?? spans.begin(facts)
}

/** Ends the span of a turn that has failed, and those of its calls. */
export function endFailedTurn(journal: Journal, { conversation }: Turn, error: unknown): void {
  endCallSpans(journal)
  journal.spans?.turn.end({ ...describeFlow(conversation), [spanNames.error]: errorTypeOf(error) })
}

function describeFlow(conversation: Conversation): SpanAttributes {
  const { id, version, hash } = conversation.frames[0].program
  return {
    [spanNames.flow]: id.slice(0, longestId),
    [spanNames.version]: version.slice(0, longestId),
    [spanNames.hash]: hash,
  }
}

/** Ends the span of a turn, with the blocks that ran, and those of its calls. */
export function endTurnSpan(
  journal: Journal,
  { conversation, budget, output }: Turn,
  engineMs: number,
): void {
  endCallSpans(journal)
  const span = journal.spans?.turn
  if (!span) return
  for (const { id, type, group } of budget.trail.slice(0, mostBlocks)) {
    const place = {
      [spanNames.group]: group.id.slice(0, longestId),
      [spanNames.block]: id.slice(0, longestId),
      [spanNames.blockType]: type.slice(0, longestId),
    }
    span.event('flow.block', place)
  }
  const went = groupsOf(budget.trail)
  endSpan(span, { conversation, blocks: budget.trail.length, went, engineMs, logs: output.logs })
}

/** The ids of the groups that were entered, in order. */
function groupsOf(trail: readonly CompiledBlock[]): string[] {
  const entered = trail.filter(({ group }, index) => group !== trail[index - 1]?.group)
  return entered.slice(0, mostGroups).map(({ group }) => group.id.slice(0, longestId))
}

/** Facts about a turn that is over. */
interface TurnFacts {
  readonly conversation: Conversation
  readonly blocks: number
  /** Undefined where the blocks are not at hand. */
  readonly went?: string[]
  readonly engineMs: number
  readonly logs: readonly LogEntry[]
  /** Why it came to nothing. */
  readonly failure?: string | undefined
}

/** Ends the span of a turn of which no more is known. */
export function endSpan(span: OpenSpan, facts: TurnFacts): void {
  const { conversation, blocks, went, engineMs, logs, failure } = facts
  span.end({
    ...describeFlow(conversation),
    [spanNames.blocks]: blocks,
    ...(went && { [spanNames.went]: went }),
    [spanNames.engineMs]: engineMs,
    [spanNames.hasEnded]: !conversation.waitingBlock,
    [spanNames.hasErrors]: failure !== undefined || hasErrors(logs),
    ...(failure !== undefined && { [spanNames.error]: failure }),
  })
}
