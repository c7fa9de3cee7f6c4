import type { Conversation, SessionState } from '../../../client/client.ts'
import type { Entry } from './entry.ts'
import { textMessage } from './transcript-text.ts'

/** What was said in a conversation before it came to this page; what it waits for alone where no transcript is kept. */
export async function entriesBefore(
  conversation: Conversation,
  { messages, waitingFor, clientSideActions }: SessionState,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const lines = await conversation.transcript(signal).catch(() => [])
  signal.throwIfAborted()
  const entries = lines.map(
    ({ role, name, text }): Entry =>
      role === 'user'
        ? { kind: 'said', text }
        : { kind: 'message', message: textMessage({ text, sender: role === 'person' ? name : undefined }) },
  )
  const embed = waitingFor === 'action' && !clientSideActions ? messages?.at(-1) : undefined
  if (embed?.type !== 'embed') return entries
  // Of an embed, the transcript has the address.
  const before = lines.at(-1)?.text === embed.content.url ? entries.slice(0, -1) : entries
  return [...before, { kind: 'message', message: embed }]
}
