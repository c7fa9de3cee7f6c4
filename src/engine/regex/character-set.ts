/** Characters by their numbers, first and last. */
export type CharacterRange = readonly [from: number, to: number]

/** The characters that end a line in JavaScript. RE2 knows the first only. */
export const lineEnds: readonly CharacterRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

/** A property of Unicode, which RE2 knows too. */
export interface Property {
  /** Set in RE2's syntax, and its complement. */
  readonly source: string
  readonly opposite: string
  has(character: string): boolean
}

/** Characters of a pattern: those of its ranges, and those that have one of the properties. */
export interface CharacterSet {
  readonly ranges: readonly CharacterRange[]
  readonly properties: readonly Property[]
  readonly isNegated: boolean
}

/** Whether a set has a character of the first plane. */
export function hasCharacter({ ranges, properties, isNegated }: CharacterSet, character: string): boolean {
  const code = character.charCodeAt(0)
  return (isAmong(code, ranges) || properties.some(({ has }) => has(character))) !== isNegated
}

/** Whether a character is in one of the ranges. */
export function isAmong(code: number, ranges: readonly CharacterRange[]): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to)
}

/** A range, or the two that are left of it. */
export function withoutLineFeed([from, to]: CharacterRange): CharacterRange[] {
  if (from > 0x0a || to < 0x0a) return [[from, to]]
  const parts: CharacterRange[] = [
    [from, 0x09],
    [0x0b, to],
  ]
  return parts.filter(([first, last]) => first <= last)
}
