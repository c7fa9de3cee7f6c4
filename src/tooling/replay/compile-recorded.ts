import type { RecordingFile } from '../../conversations/recording/recording-file.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Programs } from './replaying-executor.ts'

/** Options of compiling a recording. */
interface CompileTerms {
  readonly registry: BlockRegistry
  /** In place of the flow that was started. */
  readonly definition?: unknown
}

/**
 * Compiles every definition of a recording, by the names that sessions know them by; a changed one has that of the one that
 * was started. Throws a ServiceError for one that can't be run.
 */
export function compileRecorded(
  { start, definitions }: RecordingFile,
  { registry, definition }: CompileTerms,
): Programs {
  const all = { ...definitions, ...(definition !== undefined && { [start.program]: definition }) }
  const compile = (hash: string, sent: unknown) => compileFlow(readDefinition(sent), registry, hash)
  return new Map(Object.entries(all).map(([hash, sent]) => [hash, compile(hash, sent)]))
}
