import { ask } from '../../../engine/model/effects.ts'
import { formatInZone } from '../../../engine/values/zoned-time.ts'
import { type CompileValueSource, write } from './source.ts'

/**
 * 24 hours rather than a calendar day: where clocks change it is an hour off (docs/behaviour/logic.md, "Set variable").
 */
const dayMs = 86_400_000

/** The present moment, or the same a day away: in UTC, or in the zone that the block names. */
export function momentValue({ days, isZoned }: { days: number; isZoned: boolean }): CompileValueSource {
  return ({ variableId, timeZone = '' }, compiling) => {
    const template = compiling.text(isZoned ? timeZone : '', '/options/timeZone')
    return function* (context) {
      const zone = context.text(template).trim()
      const moment = (yield* ask({ type: 'now' })) + days * dayMs
      const zoned = zone === '' ? undefined : formatInZone(moment, zone)
      const value = zoned ?? new Date(moment).toISOString()
      const step = write(context, { variableId, value })
      if (zone === '' || zoned !== undefined) return step
      const description = `Time zone "${zone}" is unknown: UTC is used instead`
      return {
        ...step,
        logs: [{ audience: 'visitors', status: 'error', context: 'Set variable', description }],
      }
    }
  }
}
