/** Something to be sent until it has arrived. */
export interface OutgoingEvent {
  /** Of where it goes: `webhook:NAME`. */
  readonly destination: string
  /** Events of one destination and line arrive in order; those of a conversation are in a line of its session id. */
  readonly line: string
  /** The same however often it is sent. */
  readonly eventId: string
  readonly type: string
  readonly body: string
}

/** The right to send an event. */
export interface ClaimedEvent extends OutgoingEvent {
  readonly number: number
  /** This one included. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** The outcome of a try to send. */
export type SendOutcome =
  | { readonly state: 'delivered' }
  /** It is tried again so many milliseconds later. */
  | { readonly state: 'waiting'; readonly pauseMs: number; readonly error: string }
  /** It is tried no more, unless somebody asks for it. */
  | { readonly state: 'set aside'; readonly error: string }

/** An event without its body, as it stands. */
export interface Delivery {
  readonly number: number
  readonly eventId: string
  readonly type: string
  readonly state: SendOutcome['state']
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Of the next try; null unless it waits. */
  readonly dueAt: number | null
  /** When it arrived or was set aside; null while it waits. */
  readonly settledAt: number | null
  /** Of the last try; null where that has failed not. */
  readonly error: string | null
}

export interface DeliveryPage {
  readonly limit: number
  readonly before?: number | undefined
  readonly state?: Delivery['state'] | undefined
}

/** How much is kept of what was put out. */
export interface OutboxBounds {
  /** Beyond it the oldest events go, sent or not. */
  readonly maxEvents: number
  /** How long what has arrived is known, in milliseconds. Its body is dropped at once. */
  readonly deliveredMs: number
  /** How long what was set aside is kept. */
  readonly setAsideMs: number
}

/**
 * Events that commits have put out (`outgoing` of `TurnCommit`), in the order of their commits. Each is sent at least once: who
 * claims one and ends leaves it to be claimed anew. `test/stores/contracts/outbox-store.ts` is the definition in full.
 */
export interface OutboxStore {
  /**
   * Claims events that are due, at most so many for each destination, the earliest due first: of each line the first that
   * still waits, and no later one. Whoever has not settled one after `leaseMs` loses it to others.
   */
  claim(
    wanted: readonly { readonly destination: string; readonly limit: number }[],
    leaseMs: number,
  ): Promise<readonly ClaimedEvent[]>
  /** Does nothing where the event was claimed anew or has gone. */
  settle(claimed: Pick<ClaimedEvent, 'number' | 'attempts'>, outcome: SendOutcome): Promise<void>
  /** The latest first. */
  list(destination: string, page: DeliveryPage): Promise<readonly Delivery[]>
  /**
   * Has what has not arrived sent now, as if for the first time: one event, or all of a destination, or those that still wait.
   * How many there are.
   */
  retry(destination: string, which?: number | 'waiting'): Promise<number>
}
