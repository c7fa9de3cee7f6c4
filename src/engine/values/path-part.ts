/** Thrown for a text that can't stand between two slashes of a path. */
export class PathPartError extends Error {
  override readonly name = 'PathPartError'
}

/**
 * Writes a text as one part of the path of a vendor. Throws a PathPartError for what would lead elsewhere however it is
 * encoded: `.`, `..` and the empty text.
 */
export function pathPart(text: string): string {
  if (!isPathPart(text)) throw new PathPartError(`"${text}" can not be a part of the address of a call`)
  return encodeURIComponent(text.toWellFormed())
}

/** Whether `pathPart` can write a text. */
export function isPathPart(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..'
}
