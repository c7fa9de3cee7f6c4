import type { RequestLog } from '../ports/request-log-port.ts'
import type { IdempotencyKey } from '../stores/conversation-store.ts'

/** A request that the log of the service can name. */
export interface Logged {
  /** Absent where nothing keeps track of requests. */
  readonly requestLog?: RequestLog | undefined
}

/** A request that may be repeated without being done again (docs/api.md, "Repeating a request"). */
export interface Repeatable {
  /** The `Idempotency-Key` of the request; absent where it has none. */
  readonly idempotency?: Repetition | undefined
}

interface Repetition extends IdempotencyKey {
  /** Called when the answer is what an earlier request with this key was answered. */
  replayed(): void
}

/** A request whose answer belongs to one version of a session (docs/api.md, "Versions of a session"). */
export interface Versioned {
  /** Called with the version before the answer, or the refusal of a stale request, is there. */
  readonly onVersion?: ((version: string) => void) | undefined
}
