import { hash } from 'node:crypto'

/** Names a text by what it says: equal texts have equal names, and no two others do. Its bytes in UTF-8 will do. */
export function contentHash(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url')
}
