import type { Contest } from './contests/contest.ts'
import { compete, type Pace, type Rounds } from './support/rounds.ts'
import { type Build, requireBuild } from './support/service.ts'

/** The names of the two builds among the rounds. */
export const thisBuild = 'this build'
export const otherBuild = 'the other build'

interface AgainstOptions {
  readonly node: string
  readonly pace: Pace
  /** The other build. */
  readonly against: Build
}

/** Loads what is measured first in a contest, in this build and in another one, in alternating rounds. */
export async function measureAgainst(
  contest: Contest,
  { node, pace, against }: AgainstOptions,
): Promise<Rounds> {
  requireBuild(against.folder)
  const [own, other] = [await contest.prepare({ node }), await contest.prepare({ node, build: against })]
  const rounds = await compete(
    [
      { ...own.contestants[0]!, name: thisBuild },
      { ...other.contestants[0]!, name: otherBuild },
    ],
    pace,
  )
  for (const server of [...own.servers, ...other.servers]) await server.stop()
  return rounds
}
