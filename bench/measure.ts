import { type Pace, type Rounds, runRounds } from './support/rounds.ts'
import type { Workload } from './workloads/workload.ts'

/** Loads a workload and what it is measured beside, in alternating rounds. */
export async function measure(
  workload: Workload,
  { node, pace }: { node: string; pace: Pace },
): Promise<Rounds> {
  const { candidates, servers } = await workload.prepare({ node })
  const rounds = await runRounds(candidates, pace)
  for (const server of servers) await server.stop()
  return rounds
}
