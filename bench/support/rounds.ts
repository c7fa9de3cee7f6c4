import { type Load, loadServer, type Round } from './load.ts'
import type { PinnedProcess } from './pinned-process.ts'

/** One of those that are compared. */
export interface Contestant {
  readonly name: string
  readonly server: PinnedProcess
  readonly load: Load
}

/** How long everything is measured. */
export interface Pace {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

/** The rounds of each contestant, by name. */
export type Rounds = Record<string, Round[]>

/**
 * Loads the contestants in alternating rounds, so that whatever else the machine does falls on all of them alike.
 */
export async function compete(contestants: readonly Contestant[], pace: Pace): Promise<Rounds> {
  for (const { server, load } of contestants) await loadServer(server, load, pace.warmUpSeconds)
  const rounds: Rounds = Object.fromEntries(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < pace.rounds; round++)
    for (const { name, server, load } of contestants)
      rounds[name]!.push(await loadServer(server, load, pace.seconds))
  return rounds
}
