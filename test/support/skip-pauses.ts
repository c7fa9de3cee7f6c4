import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

const pause = timers.setTimeout

type Pause = (ms?: number, value?: unknown, options?: TimerOptions) => Promise<unknown>

const shortly: Pause = (ms = 0, value, options) => pause(Math.min(ms, 1), value, options)

/** Pauses before something is tried again take a millisecond, or what the test makes of them, until it ends. */
export function skipPauses(instead = shortly): void {
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation(instead as typeof pause)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
}
