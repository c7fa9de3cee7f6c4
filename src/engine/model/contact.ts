import type { ChannelName } from '../../../schemas/channel.ts'
import type { Value } from '../values/value.ts'

/** Person whom a conversation is held with, as its start has told (docs/contacts.md). */
export interface Contact {
  readonly id: string
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly timeZone?: string | undefined
}

/** The messenger that a conversation is held on, as far as flows know it. */
export interface ConversationChannel {
  readonly messenger: ChannelName
  /** The ad or link that the person came by. */
  readonly referral?: Referral | undefined
}

interface Referral {
  readonly sourceId?: string | undefined
  readonly clickId?: string | undefined
}

/** Variables that belong to the person, by name. */
export interface ContactMemory {
  readonly values: Map<string, Value>
  /** Names that the turn has written. */
  readonly written: Set<string>
}
