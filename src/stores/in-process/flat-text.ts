const beyondLatin1 = /[^\0-\xff]/

/** Bytes of the characters in memory: one each, or two each as soon as one needs two. */
export function bytesOfText(text: string): number {
  // Most texts are ASCII, which is known soonest.
  const isLatin1 = Buffer.byteLength(text) === text.length || !beyondLatin1.test(text)
  return isLatin1 ? text.length : text.length * 2
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Copies a text so that it takes the memory it is accounted for. A text that was put together, or cut out of
 * another, keeps its parts or the whole other alive, and may take two bytes a character where one would do.
 */
export function flatText(text: string, bytes = bytesOfText(text)): string {
  const encoding = bytes === text.length ? 'latin1' : 'utf16le'
  const room = bytes <= scratch.length ? scratch : Buffer.allocUnsafeSlow(bytes)
  room.write(text, encoding)
  return room.toString(encoding, 0, bytes)
}
