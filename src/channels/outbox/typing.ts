import type { Settings } from '../../../schemas/settings.ts'
import type { ApiRequest } from '../outgoing.ts'

/** The longest pause that a flow gets before a bubble, in seconds. */
const longestTyping = 10

/** Milliseconds for which a flow wants its visitors to wait for a message, as if somebody typed it. */
export function typingMs({ body }: ApiRequest, { typingEmulation }: Settings): number {
  const { enabled = true, speed = 400, maxDelay = 3, delayBetweenBubbles = 0 } = typingEmulation ?? {}
  if (!enabled) return 0
  const words = longestText(body).split(/\s+/).filter(Boolean).length
  const typing = Math.min((words / Math.max(Number(speed), 1)) * 60, Number(maxDelay))
  const seconds = typing + Math.min(Number(delayBetweenBubbles), 5)
  return Math.round(Math.min(Math.max(seconds, 0), longestTyping) * 1000)
}

/** Of a message, that is what it says: addresses have no blanks. */
function longestText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const texts = Object.values(value).map(longestText)
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
