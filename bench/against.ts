import { type Pace, type Rounds, runRounds } from './support/rounds.ts'
import { type Build, requireBuild } from './support/service.ts'
import type { Workload } from './workloads/workload.ts'

/** The names of the two builds among the rounds. */
export const thisBuild = 'this build'
export const otherBuild = 'the other build'

interface AgainstOptions {
  readonly node: string
  readonly pace: Pace
  /** The other build. */
  readonly against: Build
}

/** Loads what is measured first in a workload, in this build and in another one, in alternating rounds. */
export async function measureAgainst(
  workload: Workload,
  { node, pace, against }: AgainstOptions,
): Promise<Rounds> {
  requireBuild(against.folder)
  const [own, other] = [await workload.prepare({ node }), await workload.prepare({ node, build: against })]
  const rounds = await runRounds(
    [
      { ...own.candidates[0]!, name: thisBuild },
      { ...other.candidates[0]!, name: otherBuild },
    ],
    pace,
  )
  for (const server of [...own.servers, ...other.servers]) await server.stop()
  return rounds
}
