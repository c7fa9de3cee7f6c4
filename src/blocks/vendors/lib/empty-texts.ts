/** The same data without the properties whose text is empty, at any depth. */
export function omitEmptyTexts<T>(value: T): T {
  return omit(value) as T
}

function omit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(omit)
  const kept = Object.entries(value).filter(([, part]) => part !== '')
  return Object.fromEntries(kept.map(([name, part]) => [name, omit(part)]))
}
