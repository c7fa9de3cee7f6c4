const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a text like `200ms`, `90s` or `2h`. */
export function durationOf(text: string): number {
  const [, count = '0', unit = 'ms'] = /^(\d+)(\D+)$/.exec(text) ?? []
  return Number(count) * units[unit as keyof typeof units]
}
