import { readConfig } from '../../config/read-config.ts'
import type { ReplayBounds } from '../../tooling/replay/replay-world.ts'

/** Milliseconds of a turn, and of all turns of a recording. */
const mostMs = { turn: 30_000, recording: 60_000 }

/** The recorded service may have had other limits; those in a recording are not trusted. */
const times = 10

/**
 * Bounds of the turns of one recording: far wider than those of any service, and not those that the recording names.
 */
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
