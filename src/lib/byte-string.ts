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
