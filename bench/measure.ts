import type { Contest } from './contests/contest.ts'
import type { Figures, Measurement } from './measurement.ts'
import { compete, type Pace, type Rounds } from './support/rounds.ts'

/** What came of measuring something: raw rounds, or figures. */
export type Outcome = { readonly rounds: Rounds } | { readonly figures: Figures }

/** Takes a measurement of either kind. */
export async function measure(
  subject: Contest | Measurement,
  { node, pace }: { node: string; pace: Pace },
): Promise<Outcome> {
  if ('measure' in subject) return { figures: await subject.measure({ node }) }
  const { contestants, servers } = await subject.prepare({ node })
  const rounds = await compete(contestants, pace)
  for (const server of servers) await server.stop()
  return { rounds }
}
