import { type Load, loadServer, type Round } from './load.ts'
import type { PinnedProcess } from './pinned-process.ts'

/** One of those that are compared. */
export interface Candidate {
  readonly name: string
  readonly server: PinnedProcess
  readonly load: Load
}

/** How long everything is measured. */
export interface Pace {
  readonly rounds: number
  readonly seconds: number
}

/** What is only just compiled is not what is measured: so many requests come first, if it takes not too long. */
const warmUp = { requests: 10_000, seconds: 2, atMost: 10 }

/** The rounds of each candidate, by name. */
export type Rounds = Record<string, Round[]>

/**
 * Loads the candidates in alternating rounds, so that whatever else the machine does falls on all of them alike.
 */
export async function runRounds(candidates: readonly Candidate[], pace: Pace): Promise<Rounds> {
  for (const candidate of candidates) await prepare(candidate)
  const rounds: Rounds = Object.fromEntries(candidates.map(({ name }) => [name, []]))
  for (let round = 0; round < pace.rounds; round++)
    for (const { name, server, load } of candidates)
      rounds[name]!.push(await loadServer(server, load, pace.seconds))
  return rounds
}

async function prepare({ server, load }: Candidate): Promise<void> {
  let requests = 0
  for (let seconds = 0; seconds < warmUp.atMost && requests < warmUp.requests; seconds += warmUp.seconds)
    requests += (await loadServer(server, load, warmUp.seconds)).requests
}
