import type { Log } from '../../../schemas/log.ts'

/**
 * Readers of a log besides the author of its flow: visitors, or visitors without its details, which quote another
 * system.
 */
type Audience = 'visitors' | 'visitors without details'

/** Place of an event in a flow: outside of any block if none is named. */
export interface LogPlace {
  /** The id in the definition of the flow that was being walked, which may be a linked one. */
  readonly flowId: string
  readonly groupId?: string
  readonly blockId?: string
  readonly blockType?: string
}

/** The part of a block that its place needs: logs know nothing of programs. */
interface PlacedBlock {
  readonly id: string
  readonly type: string
  readonly group: { readonly id: string }
}

/** Names the place of a block in its flow; that of the whole flow without a block. */
export function logPlaceOf({ id: flowId }: { readonly id: string }, block?: PlacedBlock): LogPlace {
  return block ? { flowId, groupId: block.group.id, blockId: block.id, blockType: block.type } : { flowId }
}

/** A log inside of the service. One without an audience is for the author alone. */
export interface LogEntry extends Log {
  readonly audience?: Audience
  /** Set when the turn takes the log; responses leave it out. */
  readonly place?: LogPlace
}

/** Defect of a block whose message is a log for authors: it names what was wrong, and no value. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError'
}

/** A log of an error that visitors read too. */
export function visibleError(log: Pick<LogEntry, 'context' | 'description' | 'details'>): LogEntry {
  return { audience: 'visitors', status: 'error', ...log }
}

/** Returns a log as authors read it. */
export function logForAuthors({ audience: _, place: _place, ...log }: LogEntry): Log {
  return log
}

/** Returns a log as visitors read it; undefined when it is not for them. */
export function logForVisitors({ audience, place: _, details, ...log }: LogEntry): Log | undefined {
  if (audience === undefined) return undefined
  return audience === 'visitors' && details !== undefined ? { ...log, details } : log
}
