import { BlockedDestinationError, HttpClientError } from './http-client-error.ts'

/** Headers by their names in lower case. */
export type OutgoingHeaders = ReadonlyMap<string, string>

type Row = readonly [name: string, value: string]

/** Sent unless the author says otherwise. */
const defaults: readonly Row[] = [
  ['accept', '*/*'],
  ['user-agent', 'flow-runtime'],
  ['accept-encoding', 'gzip, deflate, br'],
]

/** Headers that the connection sets; an author's value would break the request, or hide a second one in it. */
const ofTheConnection =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/

/** With one of these, metadata services answer. */
const forMetadataServices = /^(?:metadata|metadata-flavor|x-aws-ec2-metadata-.*)$/

const token = /^[\w!#$%&'*+\-.^`|~]+$/
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** Throws for a header that no request of a flow may have. */
export function checkHeaders(rows: readonly Row[]): void {
  const refused = rows.find(([name]) => forMetadataServices.test(name.toLowerCase()))
  if (refused) throw new BlockedDestinationError('The request has a header for metadata services')
}

/** Reads the headers of an author. Throws when one cannot be sent; the message contains no value. */
export function readHeaders(rows: readonly Row[]): OutgoingHeaders {
  const headers = new Map<string, string>()
  for (const [givenName, givenValue] of rows) {
    if (!token.test(givenName)) throw new HttpClientError('The name of a header cannot be sent')
    const name = givenName.toLowerCase()
    const value = trimBlanks(givenValue)
    if (!sendable.test(value)) throw new HttpClientError(`The value of the header "${name}" cannot be sent`)
    const earlier = headers.get(name)
    if (!ofTheConnection.test(name)) headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

/** The headers as they go out: name, value, name, value. */
export function toRawHeaders(headers: OutgoingHeaders): string[] {
  const missing = defaults.filter(([name]) => !headers.has(name))
  return [...missing, ...headers].flat()
}

/** Headers that may follow a redirect to another origin: nothing that could be a key. */
export function withoutSecrets(headers: OutgoingHeaders): OutgoingHeaders {
  return new Map([...headers].filter(([name]) => harmless.has(name)))
}

const harmless = new Set(['accept', 'accept-language', 'user-agent', 'content-type'])

/** Headers of a request that loses its body. */
export function withoutContent(headers: OutgoingHeaders): OutgoingHeaders {
  return new Map([...headers].filter(([name]) => !ofTheContent.has(name)))
}

const ofTheContent = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
])

const blanks = new Set(['\t', '\n', '\r', ' '])

function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && blanks.has(text.charAt(start))) start++
  while (end > start && blanks.has(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
