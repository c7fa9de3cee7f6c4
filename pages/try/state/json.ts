/** A value in one line, as a table shows it. */
export const inLine = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'string'
      ? `“${value}”`
      : JSON.stringify(value)

/** A step of a JSON pointer. */
export const unescapeStep = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

type Operation = {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

/** A copy of a document to which a JSON patch was applied. Throws for a path that leads nowhere. */
export function applyPatch(document: unknown, patch: readonly Operation[]): unknown {
  let result: unknown = structuredClone(document)
  for (const { op, path, value } of patch) {
    const steps = path.split('/').slice(1).map(unescapeStep)
    const last = steps.pop()
    if (last === undefined) {
      result = value
      continue
    }
    const parent = steps.reduce<unknown>((inside, step) => (inside as Record<string, unknown>)[step], result)
    if (Array.isArray(parent)) {
      const at = last === '-' ? parent.length : Number(last)
      parent.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]))
    } else if (op === 'remove') delete (parent as Record<string, unknown>)[last]
    else (parent as Record<string, unknown>)[last] = value
  }
  return result
}
