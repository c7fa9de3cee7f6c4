/** JSON of which nothing is known but what is checked. */
export type Loose = Readonly<Record<string, unknown>>

export const asRecord = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A text for whatever stands where a name or an id should. */
export const asName = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
