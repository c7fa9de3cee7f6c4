import type { UserInput } from '../../engine/model/step.ts'
import { ServiceError } from '../../errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { EnteredSession } from '../session/enter-session.ts'
import { createWakeSignal } from './wake-signal.ts'

/** Continues of this process that wait at once; any more pass by, as those without patience do. */
const mostWaiting = 1_000

/** How long a continue that comes to a webhook listener before its call may wait for it. */
export interface Patience {
  readonly waitMs: number
  /** Aborted when the client has gone, or the service closes. Called when it waits. */
  signal(): AbortSignal
}

/** Whether a continue says nothing to a webhook listener that has not been called, and is willing to wait for the call. */
export function isEarly(
  input: UserInput | undefined,
  { conversation, stored }: EnteredSession,
  { patience }: { readonly patience?: Patience | undefined },
): boolean {
  if (input !== undefined || !patience || patience.waitMs === 0) return false
  return conversation.waitingBlock?.type === 'webhook' && stored.payload === undefined
}

/**
 * Waits until another system has called the listener of a session that is at this revision, the session has gone on, or
 * the patience is over. Nothing is held meanwhile. Throws SERVICE_UNAVAILABLE when the caller hangs up or the service
 * closes: the session is then left where it is.
 */
export async function waitForWebhook(
  { sessionId, patience }: { readonly sessionId: string; readonly patience?: Patience | undefined },
  revision: number,
  { conversations, webhookWaits: waits }: Pick<ChatDependencies, 'conversations' | 'webhookWaits'>,
): Promise<void> {
  if (!patience || waits.count >= mostWaiting) return
  waits.count += 1
  const signal = patience.signal()
  const wakeSignal = createWakeSignal()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    wakeSignal.wake()
  }, patience.waitMs)
  const unsubscribe = await conversations.subscribe(sessionId, wakeSignal.wake)
  signal.addEventListener('abort', wakeSignal.wake)
  try {
    while (!signal.aborted && !isOver) {
      const stored = await conversations.look(sessionId)
      if (stored?.revision !== revision || stored.payload) return
      await wakeSignal.wait()
    }
    if (signal.aborted)
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The wait for the webhook was ended before one came: ask again',
      )
  } finally {
    waits.count -= 1
    clearTimeout(timer)
    unsubscribe()
    signal.removeEventListener('abort', wakeSignal.wake)
  }
}
