import type { Message, Settings } from '../../../client/client.ts'
import { plainText } from './plain-text.ts'

/** Milliseconds for which a flow wants its visitors to wait for a bubble, as if somebody typed it. */
export function typingDelay(message: Message, { typingEmulation }: Settings, isFirst: boolean): number {
  const { enabled = true, speed = 400, maxDelay = 3 } = typingEmulation ?? {}
  const { isDisabledOnFirstMessage = true, delayBetweenBubbles = 0 } = typingEmulation ?? {}
  if (!enabled || (isFirst && isDisabledOnFirstMessage)) return 0
  const words = message.type === 'text' ? plainText(message).split(/\s+/).filter(Boolean).length : 0
  const typing = Math.min((words / Math.max(speed, 1)) * 60, maxDelay)
  return (typing + (isFirst ? 0 : Math.min(delayBetweenBubbles, 5))) * 1000
}
