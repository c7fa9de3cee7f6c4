import { type ByteString, fromByteString, toByteString } from '../../lib/byte-string.ts'

/**
 * Puts a JSON object together from members that already are JSON; undefined ones are left out. Each is serialised by its
 * owner, once where it never changes. The names are the program's own and need no escaping.
 */
export function jsonObject(members: Readonly<Record<string, ByteString | undefined>>): ByteString {
  let text = ''
  for (const name in members) {
    const json = members[name]
    if (json !== undefined) text += `${text === '' ? '{' : ','}"${name}":${json}`
  }
  return (text === '' ? '{}' : `${text}}`) as ByteString
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
  return `${first.slice(0, -1)},${second.slice(1)}` as ByteString
}

/** Reads what `jsonOf` and the others have written. */
export function readJson(json: ByteString): Record<string, unknown> {
  return JSON.parse(fromByteString(json))
}
