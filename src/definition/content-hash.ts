import { hash } from 'node:crypto'

/** Names a text by what it says: equal texts have equal names, and no two others do. */
export function contentHash(text: string): string {
  return hash('sha256', text, 'base64url')
}
