import { type HttpClient, isClosedDestination } from '../ports/http-client-port.ts'
import type { ClaimedEvent, SendOutcome } from '../stores/outgoing/outbox-store.ts'
import type { Endpoint } from './endpoints.ts'
import { signedHeaders } from './sign.ts'

interface DeliverDependencies {
  readonly http: Pick<HttpClient, 'stream'>
  /** Aborted when calls have to end, as the service is closing. */
  readonly closing: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Evenly from [0, 1). */
  random(): number
}

interface Delivered {
  readonly outcome: SendOutcome
  /** Why nothing more is to be sent there. */
  readonly gone?: string
}

/** A receiver answers within it. */
export const timeoutMs = 15_000

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Pauses after attempts that have failed: all of them are about a day. */
const pausesMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]

/** Sends an event once. Never rejects. */
export async function deliver(
  event: ClaimedEvent,
  { url, secrets }: Pick<Endpoint, 'url' | 'secrets'>,
  deps: DeliverDependencies,
): Promise<Delivered> {
  const { http, closing, now } = deps
  const headers = signedHeaders(event, secrets, now())
  const request = { method: 'POST', url, headers, body: event.body, timeoutMs }
  try {
    const { status, body, retryAfterMs } = await http.stream(request, { signal: closing, isDirect: true })
    await readToItsEnd(body)
    if (status >= 200 && status < 300) return { outcome: { state: 'delivered' } }
    const outcome = failed(event, { error: `The answer was ${status}`, retryAfterMs }, deps)
    return status === 410 ? { outcome, gone: '410 Gone' } : { outcome }
  } catch (error) {
    if (closing.aborted)
      return { outcome: { state: 'waiting', pauseMs: 0, error: 'The service was shutting down' } }
    return { outcome: failed(event, { error: whyOf(error) }, deps) }
  }
}

/** Operators read it, who can open the way: visitors' logs say what is closed alone. */
function whyOf(error: unknown): string {
  const { message } = error as Error
  return isClosedDestination(error) ? `${message}: OUTBOUND_ALLOW opens it` : message
}

/** The connection serves the next event once a body was read. A receiver has said by its status what became of this one, though its body breaks. */
async function readToItsEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {}
}

/** A receiver that asks to be asked later is, however often within a day. */
function failed(
  { attempts, createdAt }: ClaimedEvent,
  { error, retryAfterMs }: { readonly error: string; readonly retryAfterMs?: number | undefined },
  { now, random }: Pick<DeliverDependencies, 'now' | 'random'>,
): SendOutcome {
  const pauseMs = pausesMs[attempts - 1]
  const mayWait = retryAfterMs !== undefined && now() - createdAt < dayMs
  if (mayWait) return { state: 'waiting', pauseMs: Math.min(Math.max(retryAfterMs, secondMs), dayMs), error }
  if (pauseMs === undefined) return { state: 'set aside', error }
  return { state: 'waiting', pauseMs: Math.round(pauseMs * (0.9 + 0.2 * random())), error }
}
