import { hash } from 'node:crypto'

/** Names a text by what it says: equal texts have equal names, and no two others do. Its bytes in UTF-8 will do. */
export function contentHash(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url')
}

/** Names the text that a translation was made from: short, as it stands in the definition beside each. */
export function sourceHash(text: string): string {
  return contentHash(text).slice(0, 16)
}
