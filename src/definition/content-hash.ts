import { createHash } from 'node:crypto'

/** Names a text by what it says: equal texts have equal names, and no two others do. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
