import type { Program } from '../../engine/model/program.ts'
import type { QueueEntry } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { ProgramCache } from './program-cache.ts'

/** Where the programs of a session are looked for. */
export interface ProgramSources extends Pick<ChatDependencies, 'published' | 'definitions' | 'ports'> {
  readonly programs: ProgramCache
}

/**
 * Finds the program that a part of a session is pinned to. Undefined when its definition has gone: they
 * share bounds, and the oldest make room.
 */
export async function resolveProgram(
  { flowId, program: hash }: Pick<QueueEntry, 'flowId' | 'program'>,
  { published, programs, definitions, ports }: ProgramSources,
): Promise<Program | undefined> {
  const current = await published.byFlowId(flowId)
  if (current?.program.hash === hash) return current.program
  const text = await definitions.get(hash)
  const known = programs.known(hash)
  if (known || text === undefined) return known
  return programs.restore({ hash, text }, ports.nextTurn)
}
