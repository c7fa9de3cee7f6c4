import type { Contact } from '../engine/model/contact.ts'
import type { Value } from '../engine/values/value.ts'

/** Person whom a session is held with (docs/contacts.md). */
export interface SessionContact extends Contact {
  /** Whether the operator vouches for it; else it is a word of a browser, and nothing of it is remembered. */
  readonly isVerified: boolean
  /** When the person was looked up, by the clock of the store. */
  readonly readAt: number
  /** As far as the session knows it. */
  readonly memory?: Remembered | undefined
}

/** Values by their names. */
export type Remembered = readonly (readonly [name: string, value: Value])[]
