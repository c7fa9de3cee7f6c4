/** A key that says which value its text stands for, as JSON has no form for it. */
const mark = '$value'

/** Marks of values that JSON would change or leave out. */
interface MarkedValue {
  readonly [mark]: string
  /** Of a date, its moment; of an object that has the mark as a key of its own, that object. */
  readonly of?: unknown
}

/** Makes JSON of plain data with dates, of which `fromExactJson` makes the same again. */
export function toExactJson(value: unknown): unknown {
  if (typeof value === 'number') return numberToJson(value)
  if (value === undefined) return { [mark]: 'undefined' } satisfies MarkedValue
  if (typeof value === 'bigint') return { [mark]: 'bigint', of: String(value) } satisfies MarkedValue
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return { [mark]: 'date', of: toExactJson(value.getTime()) } satisfies MarkedValue
  if (Array.isArray(value)) return value.map(toExactJson)
  const inside = mapValues(value, toExactJson)
  return Object.hasOwn(value, mark) ? ({ [mark]: 'object', of: inside } satisfies MarkedValue) : inside
}

/** The value that `toExactJson` was given. */
export function fromExactJson(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(fromExactJson)
  if (!Object.hasOwn(json, mark)) return mapValues(json, fromExactJson)
  const { [mark]: kind, of } = json as MarkedValue
  switch (kind) {
    case 'undefined':
      return undefined
    case 'date':
      return new Date(fromExactJson(of) as number)
    case 'bigint':
      return BigInt(of as string)
    case 'object':
      return mapValues(of as object, fromExactJson)
    default:
      return Number(kind)
  }
}

function numberToJson(value: number): unknown {
  if (Object.is(value, -0)) return { [mark]: '-0' } satisfies MarkedValue
  return Number.isFinite(value) ? value : ({ [mark]: String(value) } satisfies MarkedValue)
}

/** `Object.fromEntries` defines `__proto__` as any other key. */
function mapValues(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
