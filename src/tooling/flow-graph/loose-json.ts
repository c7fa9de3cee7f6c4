/** JSON of which nothing is known but what is checked. */
export type LooseJson = Readonly<Record<string, unknown>>

export const asRecord = (value: unknown): LooseJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseJson) : {}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A text for whatever stands where a name or an id should. */
export const asName = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
