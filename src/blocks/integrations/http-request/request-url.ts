/**
 * Puts query parameters into an address: before its fragment, behind the parameters that it has already. Values
 * of one name stand together, at the place of the first.
 */
export function addQuery(url: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return url
  const fragmentAt = url.indexOf('#')
  const address = fragmentAt === -1 ? url : url.slice(0, fragmentAt)
  return address + joiner(address) + encodeQuery(parameters) + url.slice(address.length)
}

function joiner(address: string): string {
  if (!address.includes('?')) return '?'
  return address.endsWith('?') || address.endsWith('&') ? '' : '&'
}

function encodeQuery(parameters: readonly (readonly [string, string])[]): string {
  const valuesByKey = new Map<string, string[]>()
  for (const [key, value] of parameters) {
    const values = valuesByKey.get(key)
    if (values) values.push(value)
    else valuesByKey.set(key, [value])
  }
  return [...valuesByKey]
    .flatMap(([key, values]) => values.map((value) => `${encode(key)}=${encode(value)}`))
    .join('&')
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
