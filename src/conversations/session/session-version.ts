import type { ByteString } from '../../lib/byte-string.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'

/**
 * Names the state of a session, for `ETag` and `If-Match`: every commit changes it, and a session that is started anew
 * under the same id never gets a name of the one before.
 */
export function sessionVersion({
  session,
  revision,
}: {
  readonly session: Pick<StoredConversation['session'], 'createdAt'>
  readonly revision: number
}): string {
  return `${revision}-${session.createdAt.toString(36)}`
}

const separator = '\n'

/** An answer as it is kept for repetitions, which are given the version of then. */
export function withVersion(version: string, answer: ByteString): string {
  return version + separator + answer
}

/** Takes a kept answer apart. JSON has no line end outside of its texts, and none inside that is not escaped. */
export function splitVersion(kept: string): { readonly version: string; readonly answer: ByteString } {
  const end = kept.indexOf(separator)
  return { version: kept.slice(0, end), answer: kept.slice(end + 1) as ByteString }
}
