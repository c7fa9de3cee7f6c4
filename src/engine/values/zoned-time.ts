import { LRUCache } from 'lru-cache'

const second = 1000
const minute = 60 * second
const offset = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/

/** Making a format costs far more than using it, and zones come from variables. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 })

/**
 * A moment as ISO 8601 text in a zone, to the second and with the zone's offset. The zone is an IANA name or an
 * offset (`+02:00`); undefined for an unknown zone.
 */
export function formatInZone(ms: number, zone: string): string | undefined {
  const moment = Math.floor(ms / second) * second
  const offsetMs = offsetAt(moment, zone)
  if (offsetMs === undefined) return undefined
  return new Date(moment + offsetMs).toISOString().slice(0, -'.000Z'.length) + formatOffset(offsetMs)
}

/**
 * The moment of an ISO 8601 text without a zone in one; undefined for an unknown zone, and for a text that is no date. A time
 * that clocks skip is the same later, and of one that they repeat it is the first.
 */
export function momentInZone(local: string, zone: string): number | undefined {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const before = offsetAt(asUtc - dayMs, zone)
  const after = offsetAt(asUtc + dayMs, zone)
  if (before === undefined || after === undefined) return undefined
  const fits = [before, after].find((offsetMs) => offsetAt(asUtc - offsetMs, zone) === offsetMs)
  return asUtc - (fits ?? before)
}

const dayMs = 24 * 60 * minute

function offsetAt(moment: number, zone: string): number | undefined {
  return zone === 'Z' ? 0 : (fixedOffset(zone) ?? offsetOfZone(moment, zone))
}

function fixedOffset(zone: string): number | undefined {
  const match = offset.exec(zone)
  if (!match) return undefined
  const [, sign, hours, minutes = 0] = match
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
}

/** Offset of a zone from UTC. */
function offsetOfZone(moment: number, zone: string): number | undefined {
  const format = formats.get(zone) ?? createFormat(zone)
  if (!format) return undefined
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - moment
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
    return format
  } catch {
    return undefined
  }
}

function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return 'Z'
  const minutes = Math.round(Math.abs(offsetMs) / minute)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
