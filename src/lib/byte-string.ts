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
