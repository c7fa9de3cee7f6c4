import type { UserInput } from '../../engine/model/step.ts'
import { ServiceError } from '../../errors.ts'
import type { ContinueRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { EnteredSession } from '../session/enter-session.ts'
import { createWakeSignal } from './wake-signal.ts'

/** Continues of this process that wait at once; any more pass by, as those without patience do. */
const mostWaiting = 1_000

/** Whether a continue says nothing to a webhook listener that has not been called, and is willing to wait for the call. */
export function isEarly(
  input: UserInput | undefined,
  { conversation, stored }: EnteredSession,
  { patience }: Pick<ContinueRequest, 'patience'>,
): boolean {
  if (input !== undefined || !patience || patience.waitMs === 0) return false
  return conversation.waitingBlock?.type === 'webhook' && stored.payload === undefined
}

/** Waits for what another system has to say to a session that is at this revision. */
export type WebhookWait = (
  request: Pick<ContinueRequest, 'sessionId' | 'patience'>,
  revision: number,
) => Promise<void>

/**
 * Makes the wait of early continues: until another system has called the listener, the session has gone on, or the
 * patience is over. Nothing is held meanwhile. It throws SERVICE_UNAVAILABLE when the caller hangs up or the service
 * closes: the session is then left where it is.
 */
export function createWebhookWait({ conversations }: Pick<ChatDependencies, 'conversations'>): WebhookWait {
  let waiting = 0
  return async ({ sessionId, patience }, revision) => {
    if (!patience || waiting >= mostWaiting) return
    waiting += 1
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
      if (signal.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The wait for the webhook was ended')
    } finally {
      waiting -= 1
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', wakeSignal.wake)
    }
  }
}
