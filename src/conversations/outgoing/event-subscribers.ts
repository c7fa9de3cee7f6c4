import type { EventType } from '../../../schemas/outgoing-webhooks.ts'

/** Those who are told of events, as this process knows them. */
export interface Subscribers {
  readonly isEmpty: boolean
  /** Those who want an event of a flow. */
  wanting(type: EventType, publicId: string): readonly Subscriber[]
}

export interface Subscriber {
  /** Of the outbox. */
  readonly destination: string
  readonly includesContent: boolean
}
