import { readConfig } from '../../config/read-config.ts'
import type { ReplayBounds } from '../../tooling/replay/replay-world.ts'

/** Milliseconds of a turn, and of all turns of a recording. */
const mostMs = { turn: 30_000, recording: 60_000 }

/** Services may have been given other limits; a recording says its own, which may be anybody's words. */
const times = 10

/** What the turns of one recording may do: far more than they do in any service, and not whatever the recording says. */
export function openReplayBounds(): ReplayBounds {
  const { limits } = readConfig({})
  const wide = Object.entries(limits).map(([name, limit]) => [name, limit * times])
  const endsAt = performance.now() + mostMs.recording
  return {
    limits: { ...Object.fromEntries(wide), turnMs: mostMs.turn, blockMs: mostMs.turn } as typeof limits,
    heavyTurns: { admit: () => true },
    yieldToEventLoop: async () => performance.now() > endsAt,
  }
}
