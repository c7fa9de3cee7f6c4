import { ServiceError } from '../../lib/errors.ts'

/** Something to be sent until it has arrived, or that came in and is to be answered. */
export interface OutgoingEvent {
  /** Of where it goes: `webhook:NAME`, `channel:NAME`, `inbox:NAME`. */
  readonly destination: string
  /**
   * Events of one destination and line arrive in order: those of webhooks in a line of their session id, those of a channel in one
   * of the key of the person.
   */
  readonly line: string
  /** The same however often it is sent. */
  readonly eventId: string
  readonly type: string
  readonly body: string
  /** Of the conversation that it belongs to, where that is not its line: erasing it takes the event along. */
  readonly sessionId?: string | undefined
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
  | {
      readonly state: 'delivered'
      /** How the receiver names it. */
      readonly reference?: string | undefined
      /** Whether the receiver still tells how it fares: its body is kept until it has arrived. */
      readonly isTracked?: boolean | undefined
      /** How long the next one of its line waits. */
      readonly restMs?: number | undefined
    }
  /** It is tried again so many milliseconds later. One without an error has not been tried, and does not count as an attempt. */
  | { readonly state: 'waiting'; readonly pauseMs: number; readonly error?: string | undefined }
  /** It is tried no more, unless somebody asks for it. */
  | { readonly state: 'set aside'; readonly error: string }

/** How something fares that was sent, as its receiver tells: forward only, but for what has failed and arrives after all. */
export type DeliveryStatus = 'sent' | 'failed' | 'delivered' | 'read'

export interface StatusChange {
  readonly destination: string
  /** As `nameOfEvent` gave it, or as the receiver names it. */
  readonly reference: string
  readonly status: DeliveryStatus
  /** Why it has failed. */
  readonly error?: string | undefined
  /** When what has failed is sent again; never, where it is absent. */
  readonly pauseMs?: number | undefined
}

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
  /** Null where the receiver has told nothing. */
  readonly status: DeliveryStatus | null
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

/** How much is kept of what came in. */
export interface InboxBounds {
  /** Beyond it, nothing more is taken. */
  readonly maxWaiting: number
  /** The same for one person, who can so fill it for nobody else. */
  readonly maxOfLine: number
  /** Beyond it, the oldest go that were answered or set aside. */
  readonly maxEvents: number
  /** How long those are known at most. */
  readonly knownMs: number
}

/**
 * Events in lines, each of which is done at least once, in order: who claims one and ends leaves it to be claimed anew.
 */
export interface EventQueue {
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
  /** How many wait, of all destinations; `mostCounted` where there are more. */
  countWaiting(): Promise<number>
}

/** Events that are counted at most: counting goes through an index. */
export const mostCounted = 50_000

/**
 * Events that commits have put out (`outgoing` of `TurnCommit`), in the order of their commits.
 * `test/stores/contracts/outbox-store.ts` is the definition in full.
 */
export interface OutboxStore extends EventQueue {
  /**
   * Notes what receivers tell. What they have got is sent no more, whether its sender has settled it or not; what has failed is set
   * aside, or waits again where its body is there still. Does nothing about what is not known.
   */
  track(changes: readonly StatusChange[]): Promise<void>
}

/**
 * Messages that came in, until they are answered. None makes room for others before that.
 * `test/stores/contracts/inbox-store.ts` is the definition in full.
 */
export interface InboxStore extends EventQueue {
  /**
   * Keeps those that are new: an event id of a destination is kept once for as long as it is known. Throws SERVICE_UNAVAILABLE
   * where it has no room for some; it has kept the others then.
   */
  put(messages: readonly OutgoingEvent[]): Promise<void>
}

/** Names an event to its receiver, who names it when telling how it fares: known also where the answer to sending it was lost. */
export const nameOfEvent = ({ number, eventId }: Pick<ClaimedEvent, 'number' | 'eventId'>) =>
  `${number}/${eventId}`

/** Finds out what a reference is: the name of an event, or what its receiver calls it. */
export function readReference(reference: string) {
  const [, number, eventId] = /^(\d{1,15})\/(.+)$/s.exec(reference) ?? []
  return number !== undefined && eventId !== undefined ? { number: Number(number), eventId } : undefined
}

/** From what is known the least to what is known the best: a status that stands before the present one changes nothing. */
export const statusOrder = [
  'sent',
  'failed',
  'delivered',
  'read',
] as const satisfies readonly DeliveryStatus[]

/** The refusal of messages for which the inbox has no room. */
export const fullInbox = () =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many messages wait to be answered: send this one again later')
