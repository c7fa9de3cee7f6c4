import { type ChannelBody, weekdays } from '../../../schemas/channels.ts'
import { formatInZone } from '../../engine/values/zoned-time.ts'

/** Whether a channel takes messages at a time, in milliseconds since 1970. */
export function isOpenAt(now: number, { hours }: Pick<ChannelBody, 'hours'>): boolean {
  if (!hours) return true
  const local = formatInZone(now, hours.timeZone) ?? ''
  const weekday = weekdays[new Date(`${local.slice(0, 10)}T00:00Z`).getUTCDay()]
  const time = local.slice(11, 16)
  return hours.open.some(
    ({ days, from, to }) => weekday !== undefined && days.includes(weekday) && from <= time && time < to,
  )
}
