declare const isWire: unique symbol

/**
 * Text as it goes over the wire: each of its characters is one byte of the UTF-8. Such texts are joined and written at
 * the same cost in every language, where text beyond Latin-1 would have to be encoded with every answer.
 */
export type ByteString = string & { readonly [isWire]: true }

export function toByteString(text: string): ByteString {
  const isAscii = Buffer.byteLength(text) === text.length
  return (isAscii ? text : Buffer.from(text).toString('latin1')) as ByteString
}

export function fromByteString(bytes: ByteString): string {
  const isAscii = Buffer.byteLength(bytes) === bytes.length
  return isAscii ? bytes : Buffer.from(bytes, 'latin1').toString()
}

/** Bytes of UTF-8 that a unit of UTF-16 takes at most. */
const mostBytesOfUnit = 3

/** Whether a text has at most so many bytes in UTF-8. Most have far fewer, and are not gone through. */
export const fitsBytes = (text: string, most: number): boolean =>
  text.length <= most / mostBytesOfUnit || Buffer.byteLength(text) <= most

/**
 * Puts a JSON object together from members that already are JSON; undefined ones are left out. Each is serialised by its
 * owner, once where it never changes. The names are the program's own and need no escaping. Behind them, `more` members come as
 * they are, each with the comma before it: to copy them into the others takes longer than to write all.
 */
export function jsonObject(
  members: Readonly<Record<string, ByteString | undefined>>,
  more?: string,
): ByteString {
  return `{${jsonRest(members, more)}` as ByteString
}

/** The same as the rest of an object whose first members are put before it later: an object of its own would be copied then. */
export function jsonRest(members: Readonly<Record<string, ByteString | undefined>>, more = ''): ByteString {
  let text = ''
  for (const name in members) {
    const json = members[name]
    if (json !== undefined) text += `${text === '' ? '' : ','}"${name}":${json}`
  }
  return `${text}${more}}` as ByteString
}

/** The object of such a rest, where nothing is put before it. */
export function objectOf(rest: ByteString): ByteString {
  return `{${rest}` as ByteString
}

/** Puts an object, which has some members, before the rest of another. */
export function joinRest(first: ByteString, rest: ByteString): ByteString {
  return `${first.slice(0, -1)},${rest}` as ByteString
}

/** The JSON of a value that is written now. */
export function jsonOf(value: string | number | object): ByteString {
  return toByteString(JSON.stringify(value))
}

/** Puts a list together from parts that already are JSON. */
export function jsonList(items: readonly { readonly json: ByteString }[]): ByteString {
  let text = '['
  for (const { json } of items) text += text === '[' ? json : `,${json}`
  return `${text}]` as ByteString
}

/** One object of the members of two, each of which has some. */
export function joinObjects(first: ByteString, second: ByteString): ByteString {
  return joinRest(first, second.slice(1) as ByteString)
}

/** Reads what `jsonOf` and the others have written. */
export function readJson(json: ByteString): Record<string, unknown> {
  return JSON.parse(fromByteString(json))
}
