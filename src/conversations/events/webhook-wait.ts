import { ServiceError } from '../../lib/errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Viewer } from './session-views.ts'

/** How long a continue that comes to a webhook listener before its call may wait for it. */
export interface WaitOptions {
  readonly waitMs: number
  /** Aborted when the client has gone, or the service closes. Called when it waits. */
  signal(): AbortSignal
  /** Client's address, whose share of all waits it takes. Called when it waits. */
  address(): string
}

type Sources = Pick<ChatDependencies, 'conversations' | 'sessionViews' | 'webhookWaits'>

/** A request that waits. */
interface WaitingRequest {
  readonly sessionId: string
  readonly wait?: WaitOptions | undefined
}

/**
 * Waits until another system has called the listener of a session that is at this revision, the session has gone on, or
 * the time is over. Nothing is held meanwhile. Throws SERVICE_UNAVAILABLE when the caller hangs up or the service
 * closes, and TOO_MANY_REQUESTS when too many wait, of the address or in all: the session is then left where it is.
 */
export async function waitForWebhook(
  { sessionId, wait }: WaitingRequest,
  revision: number,
  deps: Sources,
): Promise<void> {
  if (!wait) return
  const giveBack = deps.webhookWaits.take(wait.address())
  if (!giveBack)
    throw new ServiceError('TOO_MANY_REQUESTS', 'Too many requests wait for webhooks: ask again', {
      retryAfter: 5,
    })
  try {
    await untilCalled({ sessionId, wait }, revision, deps)
  } finally {
    giveBack()
  }
}

async function untilCalled(
  { sessionId, wait }: Required<WaitingRequest> & { readonly wait: WaitOptions },
  revision: number,
  { sessionViews, conversations }: Sources,
): Promise<void> {
  const signal = wait.signal()
  const cleanups: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, wait.waitMs)
      const see: Viewer['see'] = (stored) => {
        if (stored?.revision !== revision || stored.payload) resolve()
      }
      const hangUp = () =>
        reject(
          new ServiceError(
            'SERVICE_UNAVAILABLE',
            'The wait for the webhook was ended before one came: ask again',
          ),
        )
      signal.addEventListener('abort', hangUp)
      if (signal.aborted) hangUp()
      cleanups.push(
        sessionViews.view(sessionId, { see, fail: reject }, conversations),
        () => clearTimeout(timer),
        () => signal.removeEventListener('abort', hangUp),
      )
    })
  } finally {
    for (const cleanUp of cleanups) cleanUp()
  }
}
