import type { Figures, Measurement } from './measurement.ts'
import { type Pace, type Rounds, runRounds } from './support/rounds.ts'
import type { Workload } from './workloads/workload.ts'

/** What came of measuring something: raw rounds, or figures. */
export type Outcome = { readonly rounds: Rounds } | { readonly figures: Figures }

/** Takes a measurement of either kind. */
export async function measure(
  subject: Workload | Measurement,
  { node, pace }: { node: string; pace: Pace },
): Promise<Outcome> {
  if ('measure' in subject) return { figures: await subject.measure({ node }) }
  const { candidates, servers } = await subject.prepare({ node })
  const rounds = await runRounds(candidates, pace)
  for (const server of servers) await server.stop()
  return { rounds }
}
