let last = { ms: 0, text: new Date(0).toISOString() }

/** A time as ISO 8601, written once for all that happens within its millisecond. */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
