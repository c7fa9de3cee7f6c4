import type { Remembered } from '../sessions/session-contact.ts'

/**
 * Reads and erases what is kept of persons; turns write it, by `ConversationStore`. Each is known by a key, which is a hash
 * (`contactKey`). `test/stores/contracts/contact-store.ts` is the definition in full.
 */
export interface ContactStore {
  /** The person, and the time by the clock of the store: what is written of one says when it was read. */
  find(key: string): Promise<FoundContact>
  /** Conversations, the latest begun first, before the one of a number. Their sessions and results may be gone. */
  links(key: string, request: ContactLinksRequest): Promise<readonly ContactLink[]>
  /**
   * Erases profile and memory, and messages in lines of the key: those that came in and those to be sent. What was read before can be
   * written no more, and neither can a start that it was read for.
   */
  erase(key: string): Promise<void>
  /** Forgets conversations, which are erased elsewhere. */
  unlink(key: string, numbers: readonly number[]): Promise<void>
}

export interface FoundContact {
  /** Undefined where nothing is kept, and after an erasure. */
  readonly contact: StoredContact | undefined
  readonly readAt: number
}

export interface StoredContact {
  /** JSON; undefined where no one has vouched for it. */
  readonly profile: string | undefined
  /** JSON: an object of values by their names. */
  readonly memory: string
  /** Grows with each change of the memory, from 0. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly firstSeen: number
  /** When a conversation of the person last began. */
  readonly lastSeen: number
}

/** A result that a conversation of a person writes to. */
export interface ContactLink extends LinkedResult {
  /** Grows with each that is added. */
  readonly number: number
  readonly sessionId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

interface LinkedResult {
  readonly flowId: string
  readonly resultId: string
}

export interface ContactLinksRequest {
  readonly limit: number
  /** Those of one flow. */
  readonly flowId?: string | undefined
  readonly before?: number | undefined
}

/** Changes of a turn to a person, in its commit. A key that was erased since it was read makes the commit a lost one. */
export interface ContactWrite {
  readonly key: string
  readonly readAt: number
  /** JSON, which takes the place of what there is. */
  readonly profile?: string | undefined
  /** They join those there are; null forgets one. */
  readonly memory?: Remembered | undefined
  readonly links: readonly LinkedResult[]
}

/** Bytes of the memory of a person: a change that would make it more is left out. */
export const mostMemoryBytes = 64 * 1024

/** How long an erasure is known at least: no turn under way is as old. */
export const erasedContactMs = 7 * 24 * 60 * 60 * 1000
