/** Headers that belong to the connection: an author's value would break the request. */
const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
])

/** The headers of a request: the last of a name counts, and user and password of basic auth are encoded. */
export function composeHeaders(rows: readonly (readonly [string, string])[]): Record<string, string> {
  const composed = rows
    .filter(([name]) => !belongsToConnection(name.toLowerCase()))
    .map(([name, value]) => [name, isAuthorization(name) ? encodeBasic(value) : value] as const)
  return Object.fromEntries(composed)
}

/** Whether the body is announced as a form; names of headers and of types are compared without case. */
export function isFormContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && value.toLowerCase().includes('x-www-form-urlencoded'),
  )
}

/** Adds the type of the body where the author does not name one. */
export function withContentType(
  headers: readonly (readonly [string, string])[],
  contentType: string | undefined,
): readonly (readonly [string, string])[] {
  const isNamed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return isNamed || contentType === undefined ? headers : [...headers, ['content-type', contentType]]
}

function belongsToConnection(name: string): boolean {
  return connectionHeaders.has(name) || name.startsWith('proxy-')
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization'
}

/** Without a colon the rest is taken for encoded already. A password may hold colons. */
function encodeBasic(value: string): string {
  const scheme = /^basic +/i.exec(value)?.[0]
  const rest = scheme && value.slice(scheme.length)
  return rest?.includes(':') ? `Basic ${Buffer.from(rest).toString('base64')}` : value
}
