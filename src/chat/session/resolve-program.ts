import type { Program } from '../../engine/model/program.ts'
import type { MaybePromise } from '../../stores/conversation-store.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { QueueEntry } from '../../stores/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { ProgramCache } from './program-cache.ts'

/** Where the programs of a session are looked for. */
export interface ProgramSources extends Pick<ChatDependencies, 'published' | 'definitions' | 'ports'> {
  readonly programs: ProgramCache
}

/** A program that a part of a session is pinned to. */
type PinnedProgram = Pick<QueueEntry, 'flowId' | 'program'>

/**
 * Finds the program that a part of a session is pinned to, at once where it is the one that is published. Undefined when
 * its definition has gone: they share bounds, and the oldest make room.
 */
export function resolveProgram(
  pinned: PinnedProgram,
  sources: ProgramSources,
): MaybePromise<Program | undefined> {
  const resolve = (current: PublishedFlow | undefined) =>
    current?.program.hash === pinned.program ? current.program : resolveEarlier(pinned, sources)
  const current = sources.published.byFlowId(pinned.flowId)
  return current instanceof Promise ? current.then(resolve) : resolve(current)
}

async function resolveEarlier(
  { program: hash }: PinnedProgram,
  { programs, definitions, ports }: ProgramSources,
): Promise<Program | undefined> {
  const text = await definitions.get(hash)
  const known = programs.known(hash)
  if (known || text === undefined) return known
  return programs.restore({ hash, text }, ports.nextTurn)
}
