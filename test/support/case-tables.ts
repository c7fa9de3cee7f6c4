import type { Json } from './json.ts'

/** Cases one by one, with what is given to several of them written into each. */
export function casesIn(entries: readonly Json[]): Json[] {
  return entries.flatMap((entry) => {
    const { given, cases } = entry
    return isJson(given) ? casesIn(cases as Json[]).map((own) => completed(given, own)) : [repeated(entry)]
  })
}

/** A value in whose lists `{ "times": 2, "of": [a, b] }` stands for a, b, a, b. */
function repeated<T>(value: T): T {
  if (Array.isArray(value)) return value.flatMap(elementsOf) as T
  if (!isJson(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, repeated(field)])) as T
}

function elementsOf(element: unknown): unknown[] {
  const { times, of, ...others } = isJson(element) ? element : {}
  const isRepeated = typeof times === 'number' && Array.isArray(of) && Object.keys(others).length === 0
  return isRepeated ? Array<unknown[]>(times).fill(repeated(of)).flat() : [repeated(element)]
}

/** What is given, with the case's own values where it has `$name`; the other values are fields of the case. */
function completed(given: Json, own: Json): Json {
  const filledIn = new Set<string>()
  const shared = fillIn(given, (name) => {
    filledIn.add(name)
    return own[name]
  }) as Json
  return { ...shared, ...Object.fromEntries(Object.entries(own).filter(([name]) => !filledIn.has(name))) }
}

/** A field or an element whose value a case doesn't give is left out. */
function fillIn(value: unknown, ownOf: (name: string) => unknown): unknown {
  if (typeof value === 'string') return /^\$[a-z]\w*$/i.test(value) ? ownOf(value.slice(1)) : value
  if (Array.isArray(value)) {
    return value.map((element) => fillIn(element, ownOf)).filter((element) => element !== undefined)
  }
  if (!isJson(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, fillIn(field, ownOf)])
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null
