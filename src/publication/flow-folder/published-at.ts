/** ISO 8601, with a space allowed for the T, and the zone optional. */
const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(?:([+-]\d\d):?(\d\d)|Z)?)?$/i

/**
 * The moment of publication: that of the definition's own `updatedAt`, else the file's time. What is not ISO 8601
 * is no date, whatever the host would make of it; a time without a zone is in UTC.
 */
export function readPublishedAt(updatedAt: string | undefined, fileTimeMs: number): string {
  const own = updatedAt === undefined ? Number.NaN : parseMoment(updatedAt)
  return new Date(Number.isNaN(own) ? fileTimeMs : own).toISOString()
}

function parseMoment(text: string): number {
  const found = moment.exec(text.trim())
  if (!found) return Number.NaN
  const [, date, time = '00:00', zoneHours, zoneMinutes] = found
  return Date.parse(`${date}T${time}${zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`}`)
}
