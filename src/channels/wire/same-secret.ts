import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Takes as long for any text of one length; undefined and lists are never the secret. */
export function isSameSecret(given: string | readonly string[] | undefined, secret: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret))
}
